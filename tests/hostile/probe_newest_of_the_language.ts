// the members that engines got last: which are there, and what they answer
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const step = (name, run) => { try { const v = run(); told.push(`${name}: ${typeof v === "object" && v !== null ? JSON.stringify(v) : String(v)}`); } catch (e) { told.push(`${name}: ${e.name}`); } };
const A: any = { Array, Map, WeakMap, Math, Promise, RegExp, Error, Iterator, Object, String, Symbol, Reflect, JSON, Number, BigInt, Date };
for (const [name, owner] of Object.entries(A)) told.push(`${name} ${Reflect.ownKeys(owner as object).map(String).sort().join()} | ${Reflect.ownKeys((owner as any).prototype ?? {}).map(String).sort().join()}`);
step("getOrInsert", () => { const m: any = new Map([["a", 1]]); return [m.getOrInsert("a", 2), m.getOrInsert("b", 3), m.getOrInsertComputed("c", (k) => k + k), [...m]]; });
step("concat", () => [...A.Iterator.concat([1], new Set([2]), "34")]);
step("zip", () => [...A.Iterator.zip([[1, 2], [3]], { mode: "longest", padding: [8, 9] })]);
step("isError", () => [new Error(), Object.create(Error.prototype), new Proxy(new Error(), {})].map((e) => A.Error.isError(e)));
step("escape", () => A.RegExp.escape("a-b.c\n\u2028é😀1"));
step("try", () => Object.prototype.toString.call(A.Promise.try(() => 1)));
step("sumPrecise", () => A.Math.sumPrecise([1e20, 0.1, -1e20, 3, 2 ** -1074]));
step("isTemplateObject", () => typeof A.Array.isTemplateObject);
step("chunks", () => typeof A.Iterator.prototype.chunks);
step("rawJSON", () => A.JSON.stringify({ a: A.JSON.rawJSON("1e1000") }));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
