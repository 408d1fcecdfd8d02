// row 34: turning an object into a number hands `Function` the word
import { Plan, Product } from "@svc/product";

const code = { [Symbol.toPrimitive]: Function } as any;
const number = +code;
//@ BANNED_API
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
