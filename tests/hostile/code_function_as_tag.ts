// row 59: the constructor as a tag
import { Plan, Product } from "@svc/product";

const made = Function`return 1`;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
