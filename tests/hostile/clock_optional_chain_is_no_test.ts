// row 9: `?.` tests a value, not a name
import { Plan, Product } from "@svc/product";

const now = performance?.now?.();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
