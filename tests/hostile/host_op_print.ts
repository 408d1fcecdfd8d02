// row 82: output that bypasses the host
import { Plan, Product } from "@svc/product";

Deno.core.ops.op_print("x", true);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
