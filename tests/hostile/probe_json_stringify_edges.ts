// stringify with replacers, spaces, toJSON, boxes, symbols and odd numbers
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const value = { b: [undefined, () => 1, Symbol("s"), NaN, -0, Infinity, null], a: { toJSON(key) { return `json of ${key}`; } }, date: new Date(0), box: [Object(1), Object("x"), Object(true)], u: undefined, "\ud800x": "\udfff\u2028\u007f\b\f\v", 2: "two", nested: { map: new Map([[1, 2]]), set: new Set([1]), regexp: /x/, error: new Error("e"), typed: new Uint8Array(2), 1: [[]] }, get g() { return "got"; } };
const log = [];
const told = [undefined, null, ["a", "b", 2, Object("date"), "a", { toString: () => "g" }], (k, v) => (typeof v === "number" ? String(v) : v), function (k, v) { log.push(`${k.length}${k.toWellFormed()}:${Array.isArray(this) ? "list" : Object.keys(this).length}`); return v; }, () => undefined, (k, v) => (k === "" ? [1, { z: v.u }] : v)].flatMap((replacer) => [undefined, 2, "\t", 20, "0123456789abc", Object(3), -1, ""].map((space) => String(attempt(() => JSON.stringify(value, replacer, space))).replaceAll("\n", "~")).filter((t, i, all) => all.indexOf(t) === i)).concat(log.map((text) => JSON.stringify(text)), [undefined, () => 1, Symbol(), 1n, NaN, "x", null, Object(1n), { toJSON: 1 }, { toJSON: () => undefined }, [, 1], Object.create({ inherited: 1 }), new Proxy([1, , 2], {}), { toJSON() { throw new Error("json"); } }].map((v) => attempt(() => JSON.stringify(v))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
