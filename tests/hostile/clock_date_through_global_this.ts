// row 2: the same function as a property of the global, under a computed name
import { Plan, Product } from "@svc/product";

const now = globalThis["Da" + "te"]["n" + "ow"]();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
