// row 23: the same by Deno's name
import { Plan, Product } from "@svc/product";

const home = Deno.env.get("HOME");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(home) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
