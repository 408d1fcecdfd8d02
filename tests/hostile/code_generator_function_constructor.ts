// row 58: of generators
import { Plan, Product } from "@svc/product";

const made = Object.getPrototypeOf(function* () {}).constructor("yield 1");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
