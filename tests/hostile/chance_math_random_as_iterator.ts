// row 13: the function as an iterator's maker
import { Plan, Product } from "@svc/product";

const [lot] = { [Symbol.iterator]: Math.random };
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(lot) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
