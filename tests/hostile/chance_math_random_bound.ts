// row 15: the function, bound and applied
import { Plan, Product } from "@svc/product";

const lot = Math.random.bind(Math).call();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(lot) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
