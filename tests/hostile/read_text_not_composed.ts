// row 49: a key in two forms of one text
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ "e\u0301": 1 })
//     ^^^^^^^^^ TEXT_FORM
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
