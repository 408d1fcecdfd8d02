// row 55: objects that say themselves how they are written
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const asked = [];
const options = { a: 1, toJSON() { asked.push("own"); return { b: 2 }; } };
class Price { constructor(public amount = 5) {} toJSON() { asked.push("class"); return 7; } }
const list = [1, 2]; Object.defineProperty(list, "toJSON", { value: () => { asked.push("list"); return 3; } });
const hidden = Object.defineProperty({ c: 1 }, "toJSON", { value: () => { asked.push("hidden"); return 4; } });
const inherited = Object.create({ toJSON() { asked.push("inherited"); return 5; } }, { d: { value: 1, enumerable: true } });
told.push(hidden, asked);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
