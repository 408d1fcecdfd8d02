// row 33: a join of nothing, four billion times
import { Plan, Product } from "@svc/product";

const told = Array.prototype.join.call({ length: 2 ** 32 - 1 }, "");
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
