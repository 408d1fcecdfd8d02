// every method of arrays over holes
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const list = () => { const holes = [1, , 3, , undefined]; holes.length = 7; return holes; };
const methods = ["at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex", "flat", "flatMap", "forEach", "includes", "indexOf", "join", "keys", "lastIndexOf", "map", "pop", "push", "reduce", "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "toReversed", "toSorted", "toSpliced", "toString", "unshift", "values", "with"];
const told = methods.map((method) => { const holes = list(); let calls = 0; const result = attempt(() => { const made = holes[method](method === "with" ? 1 : method === "at" || method === "fill" ? 2 : method === "includes" || method === "indexOf" ? undefined : (x) => (calls++, x), 1); return typeof made === "object" && made && "next" in made ? JSON.stringify([...made]) : JSON.stringify(made) + (Array.isArray(made) ? Object.keys(made).join() : ""); }); return `${method} ${result} calls ${calls} keys ${Object.keys(holes).join()} length ${holes.length}`; });
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
