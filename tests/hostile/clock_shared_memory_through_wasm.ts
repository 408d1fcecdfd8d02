// row 12: shared memory through WebAssembly
import { Plan, Product } from "@svc/product";

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(memory.buffer) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
