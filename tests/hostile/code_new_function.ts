// row 59: a function from text
import { Plan, Product } from "@svc/product";

const made = new Function("a", "return a");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
