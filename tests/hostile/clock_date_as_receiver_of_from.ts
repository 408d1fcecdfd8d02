// row 3: `Array.from` makes a date without arguments
import { Plan, Product } from "@svc/product";

const made = Array.from.call(Date as any, []);
//@ BANNED_API
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
