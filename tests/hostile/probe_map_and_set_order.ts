// order of maps and sets with mixed keys through deletions in the middle of walks
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const object = {};
const keys = [1, "1", -0, 0, NaN, 0 / 0, null, undefined, "", object, {}, 1n, Symbol.iterator, true, "true", 1.5, 2 ** 31, -1];
const map = new Map(keys.map((key, i) => [key, i]));
const set = new Set(keys);
const told = [[...map].map(([key, i]) => `${quote(key)}=${i}`).join(), [...set].map(quote).join(), String(map.get(0)), String(map.get("0")), String(map.get(NaN)), String(map.get({})), String(1 / [...set][2])];
const walked = [];
for (const key of set) { walked.push(quote(key)); if (key === "1") { set.delete(0); set.delete(1); set.add(1); } if (key === null) set.add("late"); if (walked.length > 40) break; }
told.push(walked.join(" "));
const cleared = []; for (const [key] of map) { cleared.push(quote(key)); if (key === "1") { map.clear(); map.set("x", 1); } }
told.push(cleared.join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
