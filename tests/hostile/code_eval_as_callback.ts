// row 59: eval as the callback of map
import { Plan, Product } from "@svc/product";

const told = ["1 + 1"].map(eval);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
