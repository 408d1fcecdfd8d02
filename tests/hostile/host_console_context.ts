// row 86: V8's own addition to it
import { Plan, Product } from "@svc/product";

const told = console.context("x");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
