// row 23: a secret from the environment
import { Plan, Product } from "@svc/product";

const home = process.env.HOME;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(home) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
