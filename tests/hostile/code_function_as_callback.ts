// row 59: the constructor as the callback of Array.from
import { Plan, Product } from "@svc/product";

const made = Array.from(["return 1"], Function);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
