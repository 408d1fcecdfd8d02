// row 80: deno_core's second object
import { Plan, Product } from "@svc/product";

const inner = __bootstrap.core;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(inner) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
