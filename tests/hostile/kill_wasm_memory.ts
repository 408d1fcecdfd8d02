// row 91: memory through WebAssembly
import { Plan, Product } from "@svc/product";

const memory = new WebAssembly.Memory({ initial: 65_536 });
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(memory.buffer.byteLength) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
