// the text of functions of every kind, by every way to it
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const kinds = [function () {}, () => 1, async () => {}, function* () {}, async function* () {}, class A { x = 1 }, ({ m() {} }).m, Object.getOwnPropertyDescriptor({ get g() { return 1; } }, "g").get, Math.max, Map, (() => {}).bind(), new Proxy(function () {}, {}), new Proxy(class {}, {}), Symbol, Plan, Plan("k"), Function.prototype, Promise.resolve().then];
const told = [...new Set(kinds.flatMap((f) => [() => String(f), () => `${f}`, () => f + "", () => f.toString(), () => Function.prototype.toString.call(f), () => [f].join(), () => JSON.stringify([f]), () => ({ [f]: 1 }) && Object.keys({ [f]: 1 })[0], () => "x".replace("x", String(f)), () => Reflect.apply(Function.prototype.toString, f, []), () => new Error(f).message, () => Symbol(f).description].map(attempt)))].concat([1, {}, null, "f", new Proxy({}, {})].map((x) => attempt(() => Function.prototype.toString.call(x))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
