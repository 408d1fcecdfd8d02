// thousands of hidden classes, dictionaries and their keys' order at the end
import { Plan, Product, Raw } from "@svc/product";

const objects = []; let sum = 0;
for (let i = 0; i < 3000; i++) { const o = {}; for (let k = 0; k < i % 40; k++) o[`p${(i * 31 + k * 17) % 211}`] = k; if (i % 3 === 0) delete o[Object.keys(o)[0]]; if (i % 7 === 0) o.last = i; objects.push(o); }
for (const o of objects) for (const key in o) sum = (Math.imul(sum, 31) + key.length * 7 + o[key]) | 0;
const told = [String(sum)].concat([39, 78, 1000, 2999].map((i) => JSON.stringify(objects[i])));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
