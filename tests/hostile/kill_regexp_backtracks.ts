// row 88: catastrophic backtracking
import { Plan, Product } from "@svc/product";

const told = /^(a+)+$/.test("a".repeat(50) + "b");
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
