// row 88: backtracking that needs memory of its own
import { Plan, Product } from "@svc/product";

let told = "";
for (;;) told = String(/(?:.|\s)*?z/.test("x".repeat(1_000_000)));
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY | BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
