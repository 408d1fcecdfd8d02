// texts at and past the longest that there can be, by every way to make one
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const step = (name, run) => { try { told.push(`${name} ${run()}`); } catch (e) { told.push(`${name} ${e.name}: ${e.message}`); } };
const most = 2 ** 29 - 24;
const long = "ab".repeat(most / 2);
step("most", () => long.length);
step("repeat", () => "a".repeat(most + 1).length);
step("repeat of nothing", () => "".repeat(2 ** 40).length);
step("plus", () => (long + "c").length);
step("template", () => `${long}c`.length);
step("concat", () => long.concat("", "c").length);
step("padStart", () => "a".padStart(2 ** 33).length);
step("padEnd with nothing", () => "a".padEnd(2 ** 33, "").length);
step("join", () => [long, long].join("").length);
step("join of holes", () => new Array(2 ** 31).join("xy").length);
step("raw", () => String.raw({ raw: { length: 3, 0: long, 1: long, 2: "c" } }, "", "").length);
step("as a key", () => Object.keys({ ["a".repeat(2 ** 20)]: 1 })[0].length);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
