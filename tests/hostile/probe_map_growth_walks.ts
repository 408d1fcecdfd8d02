// walks of maps that grow and shrink past every size of their tables
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const size of [1, 3, 4, 5, 15, 16, 17, 100, 1000, 20000]) {
  const map = new Map();
  for (let i = 0; i < size; i++) map.set((i * 7919) % (size * 2 + 1), i);
  let [sum, steps] = [0, 0];
  for (const [key, value] of map) { sum = (Math.imul(sum, 31) + key) | 0; if (steps++ % 2) map.delete(key); if (steps < size * 2 && steps % 5 === 0) map.set(`n${steps}`, value); }
  told.push(`${size} ${map.size} ${sum} ${steps} ${[...map.keys()].slice(-3)}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
