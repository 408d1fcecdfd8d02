// row 33: the same over a Proxy
import { Plan, Product } from "@svc/product";

const told = Array.prototype.lastIndexOf.call(new Proxy({}, { get: () => 2 ** 53 - 1, has: () => true }), 1);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
