// row 13: the lot drawn in a job that nobody awaits
import { Plan, Product } from "@svc/product";

Promise.resolve().then(() => Math.random());
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
