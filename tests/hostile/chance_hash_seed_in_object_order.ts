// row 16: the order of a dictionary's keys with many deletions
import { Plan, Product } from "@svc/product";

const table = {};
for (let i = 0; i < 5000; i++) table[`k${(i * 7919) % 5003}`] = i;
for (let i = 0; i < 5000; i += 3) delete table[`k${i}`];
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: Object.keys(table).slice(0, 200).join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
