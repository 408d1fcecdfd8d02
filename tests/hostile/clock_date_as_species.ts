// row 3: lists that make dates of their lengths, which are moments
import { Plan, Product, Raw } from "@svc/product";

const made: string[] = [];
class Moments extends Array { static get [Symbol.species]() { return Date as any; } }
const three = Moments.of(1, 2, 3) as any;
for (const way of [(l) => l.map((x) => x), (l) => l.filter(() => true), (l) => l.slice(1), (l) => l.concat([1]), (l) => l.splice(0, 1), (l) => l.flat()]) {
  try { const date = way(three); made.push(`${Object.prototype.toString.call(date)} ${Number(date)}`); } catch (e) { made.push(`${e.name}: ${e.message}`); }
}
for (const way of [() => Array.of.call(Date as any), () => Array.of.call(Date as any, 5), () => Promise.resolve.call(Date as any, 1), () => Reflect.construct(Date, { length: 1 } as any), () => (Iterator as any).from.call(Date, [])]) {
  try { made.push(Object.prototype.toString.call(way())); } catch (e) { made.push(`${e.name}: ${e.message}`); }
}
const told = made;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
