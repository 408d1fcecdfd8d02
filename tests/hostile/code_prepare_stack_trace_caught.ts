// row 60: the hook set as well as can be, and a stack read
import { Plan, Product } from "@svc/product";

let called = 0;
const hook = (_, frames) => {
  called++;
  return frames.map((frame) => frame.getThis?.());
};
for (const attempt of [() => (Error.prepareStackTrace = hook), () => Object.defineProperty(Error, "prepareStackTrace", { value: hook }), () => (TypeError.prepareStackTrace = hook)]) {
  try {
    attempt();
  } catch {}
}
const told = typeof new Error("x").stack + typeof new TypeError("x").stack;
//= ok product.displayName "0"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(called), description: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
