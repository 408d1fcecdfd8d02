// arrays of one's own class through every method
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
class List extends Array { get last() { return this.at(-1); } }
class Plain extends Array { static get [Symbol.species]() { return Array; } }
const told = [List, Plain].flatMap((Kind) => { const list = Kind.of(3, 1, 2); return ["concat", "filter", "flat", "flatMap", "map", "slice", "splice", "toSorted", "toReversed", "toSpliced", "with"].map((method) => attempt(() => { const made = Kind.from(list)[method](method === "with" || method === "splice" || method === "slice" || method === "toSpliced" ? 0 : (x) => x); return `${method} ${made.constructor.name} ${made.length} ${made.last} ${JSON.stringify(made)}`; })); }).concat(String(new List(3).length), String(List.of(3).length), String(Array.isArray(new List())), String(new List(1, 2) + ""), JSON.stringify(new List(2)), attempt(() => new List(-1)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
