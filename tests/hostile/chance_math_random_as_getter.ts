// row 13: the function as a getter that only an operator reads
import { Plan, Product } from "@svc/product";

const dice = Object.defineProperty({}, "roll", { get: Math.random });
const lot = dice.roll;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(lot) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
