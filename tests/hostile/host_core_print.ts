// row 82: the same by its friendlier name
import { Plan, Product } from "@svc/product";

Deno.core.print("x");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
