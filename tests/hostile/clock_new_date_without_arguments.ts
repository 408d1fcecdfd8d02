// row 2: an object of the present moment
import { Plan, Product } from "@svc/product";

const now = new Date();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now.toISOString() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
