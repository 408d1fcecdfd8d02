// row 3: a subclass whose constructor is implied
import { Plan, Product } from "@svc/product";

class Tick extends Date {} const now = new Tick();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now.getTime()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
