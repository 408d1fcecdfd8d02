// row 23: Node's pool of memory, which holds old bytes
import { Plan, Product } from "@svc/product";

const bytes = Buffer.allocUnsafe(16);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(bytes) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
