// row 45: so is the one that JSON.parse makes
import { Plan, Product } from "@svc/product";

const limits = () => JSON.parse('{"requests":{"rate":1,"interval":"minute"},"__proto__":{"rate":1,"interval":"minute"}}');

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: limits() })
//                        ^^^^^^^^ KEY_FORM
  free!: void;
}
