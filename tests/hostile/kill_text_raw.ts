// row 88: String.raw of an endless template
import { Plan, Product } from "@svc/product";

const text = String.raw({ raw: { length: 2 ** 53 - 1, 0: "x" } });
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: text })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
