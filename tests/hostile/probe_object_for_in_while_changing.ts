// for-in over objects that change under it
import { Plan, Product, Raw } from "@svc/product";

const walk = (object, change) => { const seen = []; for (const key in object) { seen.push(key); change(object, key); } return seen.join(); };
const make = () => Object.assign(Object.create({ inherited: 1, a: 0 }), { a: 1, b: 2, 1: 3, c: 4 });
const told = [walk(make(), (o, k) => delete o[k]), walk(make(), (o) => delete o.c), walk(make(), (o, k) => { if (k === "a") o.z = 1; }), walk(make(), (o) => delete o.b), walk(make(), (o, k) => { if (k === "1") { delete o.b; o.b = 1; } }), walk(make(), (o, k) => k === "1" && Object.setPrototypeOf(o, null)), walk(make(), (o) => Object.defineProperty(o, "c", { enumerable: false })), walk([1, 2, 3], (o) => { o.length = 1; }), walk("abc", () => {}), walk(Object.create({ x: 1 }, { x: { value: 2, enumerable: false } }), () => {})];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
