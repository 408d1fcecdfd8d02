// row 27: memory numbers from deno_core
import { Plan, Product } from "@svc/product";

const used = Deno.core.ops.op_memory_usage();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(used.rss) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
