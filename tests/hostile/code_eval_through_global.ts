// row 59: eval by a computed name
import { Plan, Product } from "@svc/product";

const told = globalThis["ev" + "al"]("1 + 1");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
