// row 82: the host's own files
import { Plan, Product } from "@svc/product";

for (let rid = 0; rid < 10; rid++) Deno.core.ops.op_close(rid);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
