// row 74: an import inside a type is erased
import { Plan, Product } from "@svc/product";

let told: typeof import("node:fs") | string = "erased";
//= ok product.displayName "erased"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
