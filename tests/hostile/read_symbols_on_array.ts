// row 68: symbols that change how an array behaves
import { Plan, Product, Raw } from "@svc/product";

const hidden = () => Object.assign([1], { [Symbol.isConcatSpreadable]: false });
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: hidden() })
//        ^^^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
