// row 80: deno_core's object
import { Plan, Product } from "@svc/product";

const core = Deno.core;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(core) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
