// row 3: the constructor as the prototype of a subclass
import { Plan, Product } from "@svc/product";

const Real = Object.getPrototypeOf(class extends Date {});
const now = Real.now();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
