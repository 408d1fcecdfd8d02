// methods of arrays called on what only looks like one
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const likes = () => [{ length: 3, 0: "a", 2: "c" }, "abc", { length: -1 }, { length: 2 ** 53, 0: 1 }, { length: "2", 0: 1, 1: 2 }, 5, new Uint8Array([3, 1, 2]), (function () { return arguments; })(1, 2), { 0: 1 }];
const calls = [(l) => Array.prototype.map.call(l, (x) => x), (l) => Array.prototype.slice.call(l, 0, 3), (l) => Array.prototype.join.call(l, "-"), (l) => Array.prototype.push.call(l, "new"), (l) => Array.prototype.pop.call(l), (l) => Array.prototype.indexOf.call(l, "c"), (l) => Array.prototype.concat.call(l, [1]).length, (l) => Array.prototype.at.call(l, -1), (l) => Array.prototype.fill.call(l, 0, 0, 2), (l) => Array.prototype.with.call(l, 0, 9), (l) => Array.prototype.toSpliced.call(l, 0, 1), (l) => Array.prototype.includes.call(l, undefined), (l) => Array.from(l).length, (l) => Array.prototype.lastIndexOf.call(l, 1, 5)];
const told = calls.map((call) => likes().map((like, i) => (i === 3 && /fill|slice|concat/.test(String(call.length)) ? "-" : i === 3 ? attempt(() => (call === calls[3] || call === calls[4] || call === calls[7] || call === calls[9] || call === calls[10] ? JSON.stringify(call(like)) : "-")) : attempt(() => JSON.stringify(call(like))))).join(" | "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
