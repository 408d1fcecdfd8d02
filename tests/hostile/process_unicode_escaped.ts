// row 72: a host's name with an escape in it
import { Plan, Product } from "@svc/product";

const home = \u{70}rocess.env.HOME;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(home) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
