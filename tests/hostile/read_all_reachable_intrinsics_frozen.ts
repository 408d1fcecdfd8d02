// row 44: everything the global reaches, over properties, accessors and prototypes, is frozen
import { Plan, Product } from "@svc/product";

const seen = new Set();
const open = [];
const visit = (value, path) => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  seen.add(value);
  if (!Object.isFrozen(value) && !ArrayBuffer.isView(value)) open.push(path);
  visit(Object.getPrototypeOf(value), `${path}.[[prototype]]`);
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    for (const part of ["value", "get", "set"]) visit(descriptor[part], `${path}.${String(key)}`);
  }
};
visit(globalThis, "globalThis");
//= ok product.displayName "none"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: open.slice(0, 20).join() || "none", description: String(seen.size),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
