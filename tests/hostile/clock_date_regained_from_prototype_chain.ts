// row 3: the constructor two prototypes above an instance of a subclass
import { Plan, Product } from "@svc/product";

class Day extends Date {}
const Real = Object.getPrototypeOf(Object.getPrototypeOf(new Day(0))).constructor;
const now = new Real();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now.getTime()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
