// row 2: a bound constructor
import { Plan, Product } from "@svc/product";

const Bound = Date.bind(null);
const now = new Bound();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
