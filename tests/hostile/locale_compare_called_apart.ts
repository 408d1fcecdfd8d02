// row 20: the method without its string
import { Plan, Product } from "@svc/product";

const told = String.prototype.localeCompare.call("a", "b", "sv");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
