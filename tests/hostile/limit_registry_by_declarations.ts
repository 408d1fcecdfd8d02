// row 42: very many small declarations
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= BUILD_REGISTRY_TOO_LARGE
export default class X {
  static {
    for (let i = 0; i < 30_000; i++) Meter(`m${i}`)(this.prototype, `m${i}`);
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
