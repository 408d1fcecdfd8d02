// row 30: the mere constructor
import { Plan, Product } from "@svc/product";

const registry = class extends FinalizationRegistry {};
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(registry) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
