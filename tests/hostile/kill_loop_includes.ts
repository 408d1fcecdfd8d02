// row 33: a built-in that looks at nine quadrillion places and never at the clock
import { Plan, Product } from "@svc/product";

const told = Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
