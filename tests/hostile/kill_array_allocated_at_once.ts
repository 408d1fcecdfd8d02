// row 88: 240 megabytes in one step
import { Plan, Product } from "@svc/product";

const filled = Array.from(new Array(30_000_000).keys());
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(filled.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
