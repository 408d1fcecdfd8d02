// row 33: a built-in that turns nothing round
import { Plan, Product } from "@svc/product";

const told = Array.prototype.reverse.call({ length: 2 ** 53 - 1 });
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
