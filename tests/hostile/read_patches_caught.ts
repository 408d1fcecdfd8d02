// row 44: every patch tried, every error caught; nothing came of it
import { Plan, Product } from "@svc/product";

const patches = [
  () => (Array.prototype[Symbol.iterator] = () => ({ next: () => ({ done: true }) })),
  () => (Object.prototype.get = () => "stolen"),
  () => (JSON.stringify = () => '"stolen"'),
  () => (Map.prototype.set = () => {}),
  () => (WeakMap.prototype.get = () => {}),
  () => (Array.prototype.push = () => {}),
  () => (Reflect.ownKeys = () => []),
  () => (Function.prototype.call = () => {}),
  () => (String.prototype.isWellFormed = () => true),
  () => (Object.is = () => true),
];
let caught = 0;
for (const patch of patches) {
  try {
    patch();
  } catch {
    caught++;
  }
}
//= ok product.displayName "10"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(caught) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
