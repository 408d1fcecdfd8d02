// String called with everything, and boxed texts
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const values = [Symbol("s"), Symbol(), Symbol.for("f"), Object("abc"), [1, [2, [3]]], [null, undefined], {}, () => 1, null, undefined, -0, 1e21, 12n, { toString: null, valueOf: () => 1 }, { toString: () => ({}), valueOf: () => ({}) }, { [Symbol.toPrimitive]: () => 5 }, { [Symbol.toPrimitive]: 1 }, Object.create(null), new Error("e"), /x/gi, new Map(), new Date(0), (function () { return arguments; })(1), class {}, new Proxy([], {}), globalThis, Math, JSON, Promise.resolve(), new Uint8Array(3)];
const told = values.flatMap((value) => [attempt(() => String(value)), attempt(() => `${value}`), attempt(() => value + ""), attempt(() => Object.prototype.toString.call(value))]);
told.push(...Reflect.ownKeys(Object("ab")).map(String), JSON.stringify(Object.getOwnPropertyDescriptors(Object("ab"))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
