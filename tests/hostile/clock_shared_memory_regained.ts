// row 12: the constructor of shared memory from the getters that take it
import { Plan, Product } from "@svc/product";

const told = Reflect.ownKeys(globalThis).map(String).filter((name) => /Shared|Atomics|Wasm|WebAssembly/.test(name));
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
