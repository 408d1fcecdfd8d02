// row 27: memory numbers from the browser's corner
import { Plan, Product } from "@svc/product";

const used = performance.memory.usedJSHeapSize;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(used) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
