// row 1: the function as the reviver of JSON.parse
import { Plan, Product } from "@svc/product";

const now = JSON.parse("1", Date);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
