// row 72: the name written with an escape
import { Plan, Product } from "@svc/product";

const now = D\u0061te.now();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
