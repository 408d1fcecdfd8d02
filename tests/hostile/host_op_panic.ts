// row 81: the op that panics the host's thread
import { Plan, Product } from "@svc/product";

Deno.core.ops.op_panic("x");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
