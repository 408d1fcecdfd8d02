// row 10: deno_core's own clock
import { Plan, Product } from "@svc/product";

const now = Deno.core.ops.op_timer_now();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
