// row 44: whatever lets an object hide what it inherits, called on other things, changes no built-in
import { Plan, Product } from "@svc/product";

const targets = [Array.prototype, Map.prototype, Function.prototype, JSON, Math, globalThis, Object.prototype, Error.prototype, Plan, 1, "x", null, undefined];
const setters = ["toString", "valueOf", "hasOwnProperty", "constructor", "__proto__"].map((name) => Object.getOwnPropertyDescriptor(Object.prototype, name).set).filter(Boolean);
setters.push(...["name", "message", "toString"].map((name) => Object.getOwnPropertyDescriptor(Error.prototype, name).set).filter(Boolean));
const before = targets.map((target) => (target === null || target === undefined ? "" : Reflect.ownKeys(Object(target)).map(String).join()));
for (const setter of setters) {
  for (const target of targets) {
    try {
      setter.call(target, () => "stolen");
    } catch {}
  }
}
const changed = targets.filter((target, i) => target !== null && target !== undefined && target !== Plan && Reflect.ownKeys(Object(target)).map(String).join() !== before[i]);
//= ok product.displayName "0,[object Object],Error: x,1"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [changed.length, {}.toString(), String(new Error("x")), String([1])].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
