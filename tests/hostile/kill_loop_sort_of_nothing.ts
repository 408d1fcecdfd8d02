// row 33: a sort of four billion holes
import { Plan, Product } from "@svc/product";

const sorted = Array.prototype.sort.call({ length: 2 ** 53 - 1 });
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(sorted) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
