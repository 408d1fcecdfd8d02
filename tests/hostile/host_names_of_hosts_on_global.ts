// row 72: none of the names that hosts are known by
import { Plan, Product } from "@svc/product";

const told = Reflect.ownKeys(globalThis).map(String).filter((name) => /deno|bootstrap|svc|babel|helper|internal|core|op_|node|bun|v8|shim|registry/i.test(name));
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
