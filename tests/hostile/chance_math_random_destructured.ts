// row 13: the function without its object
import { Plan, Product } from "@svc/product";

const { random } = Math;
const lot = random();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(lot) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
