// row 9: a stopwatch that prints
import { Plan, Product } from "@svc/product";

console.time("build");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
