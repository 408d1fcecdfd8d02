// row 12: Atomics on memory that is not shared
import { Plan, Product } from "@svc/product";

const seen = Atomics.load(new Int32Array(1), 0);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(seen) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
