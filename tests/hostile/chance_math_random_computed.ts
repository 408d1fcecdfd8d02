// row 13: the function under a computed name
import { Plan, Product } from "@svc/product";

const lot = Math["ran" + "dom"]();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(lot) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
