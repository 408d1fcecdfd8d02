// row 88: backtracking that needs memory of its own, tried again when the engine gives it up
import { Plan, Product } from "@svc/product";

for (;;) {
  try {
    /(?:.|\s)*?z/.test("x".repeat(1_000_000));
  } catch {}
}
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY | BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
