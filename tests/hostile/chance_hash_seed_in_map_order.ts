// row 16: the order of Map and Set, by objects, strings, numbers and symbols
import { Plan, Product } from "@svc/product";

const map = new Map();
for (let i = 0; i < 2000; i++) map.set([{}, `s${i}`, i / 3, Symbol(String(i))][i % 4], i);
const set = new Set([...map.values()].map((value) => (value * 31) % 997));
//= ok
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: `${[...map.values()].slice(0, 50)} / ${[...set].slice(0, 50)}`,
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
