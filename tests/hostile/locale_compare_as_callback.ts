// row 20: the method as a comparator, uncurried
import { Plan, Product } from "@svc/product";

const compare = Function.prototype.call.bind(String.prototype.localeCompare);
const keys = ["b", "a"].sort(compare);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: keys.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
