// row 3: `now` as an inherited static
import { Plan, Product } from "@svc/product";

class Tick extends Date {}
const now = Tick.now();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
