// row 83: an evaluator beside the ban
import { Plan, Product } from "@svc/product";

const [told] = Deno.core.ops.op_eval_context("1 + 1", "x");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
