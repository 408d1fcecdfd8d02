// row 44: Reflect says no without throwing
import { Plan, Product } from "@svc/product";

const told = [
  Reflect.set(Object.prototype, "get", 1),
  Reflect.defineProperty(Array.prototype, 0, { value: 1 }),
  Reflect.deleteProperty(JSON, "stringify"),
  Reflect.setPrototypeOf(Array.prototype, null),
  Reflect.set(globalThis, "leak", 1),
  Reflect.isExtensible(globalThis),
];
//= ok product.displayName "false,false,false,false,false,false"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
