// row 88: backwards
import { Plan, Product } from "@svc/product";

const told = /(?<=^(a+)+c)b/.exec("d" + "a".repeat(50) + "cb");
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
