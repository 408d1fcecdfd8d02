// row 56: a class whose ancestor answers every question
import { Plan, Product } from "@svc/product";

const Ancestor = new Proxy(class {}, { getOwnPropertyDescriptor: () => { throw new Error("asked"); } });
@Product({ name: "x", origin: "https://api.example.com", displayName: "plain" })
//= ok product.displayName "plain"
export default class X extends Ancestor {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
