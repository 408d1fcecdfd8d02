// weak maps through much garbage: what is held stays, and nothing else shows
import { Plan, Product, Raw } from "@svc/product";

const held = Array.from({ length: 200 }, (_, i) => ({ i }));
const weak = new WeakMap(held.map((object) => [object, { of: object.i, back: object }]));
const seen = new WeakSet(held.filter((object) => object.i % 3 === 0));
for (let round = 0; round < 40; round++) { const garbage = []; for (let i = 0; i < 4000; i++) { const key = { round, i }; weak.set(key, new Array(10).fill(key)); garbage.push(key); } }
const told = held.map((object) => `${weak.get(object).of}${weak.get(object).back === object}${seen.has(object)}`).concat(Object.keys(weak).join(), JSON.stringify(weak), String(weak));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
