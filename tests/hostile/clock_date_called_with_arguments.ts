// row 1: called without `new` it tells the time whatever it is given
import { Plan, Product } from "@svc/product";

const now = Date(0);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
