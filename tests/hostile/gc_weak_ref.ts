// row 30: whether something is still alive
import { Plan, Product } from "@svc/product";

const weak = new WeakRef({});
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(weak.deref()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
