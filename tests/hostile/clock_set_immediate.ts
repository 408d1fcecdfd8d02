// row 11: Node's timer without a time
import { Plan, Product } from "@svc/product";

setImmediate(() => {});
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
