// what expressions of one's own are asked, and in which order
import { Plan, Product, Raw } from "@svc/product";

const log = [];
class Watched extends RegExp {
  exec(text) { log.push(`exec ${this.lastIndex}`); return super.exec(text); }
  get flags() { log.push("flags"); return super.flags; }
  get global() { log.push("global"); return super.global; }
  get unicode() { log.push("unicode"); return super.unicode; }
  get hasIndices() { log.push("hasIndices"); return super.hasIndices; }
  static get [Symbol.species]() { log.push("species"); return Watched; }
}
const x = new Watched("a(.)?", "g");
const results = ["banana".replace(x, "<$1>"), "banana".split(x), "banana".match(x), [..."banana".matchAll(x)].length, "banana".search(x), x.test("banana"), "banana".replaceAll(x, (m) => m.length)];
const told = [...log, ...results.map((result) => JSON.stringify(result))];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
