// row 33: a splice at the far end
import { Plan, Product } from "@svc/product";

const told = Array.prototype.splice.call({ length: 2 ** 53 - 2 }, 0, 1);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
