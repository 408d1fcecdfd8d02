// Array.fromAsync of everything, with mappers that await
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const show = async (name, promise) => { try { log.push(`${name} ${JSON.stringify(await promise)}`); } catch (e) { log.push(`${name} ${e.name}: ${e.message}`); } };
await Promise.all([show("list", Array.fromAsync([1, Promise.resolve(2), { then: (y) => y(3) }])), show("map", Array.fromAsync([1, 2], async (x, i) => x * 10 + i)), show("generator", Array.fromAsync((async function* () { yield 1; yield Promise.resolve(2); })())), show("like", Array.fromAsync({ length: 2, 0: Promise.resolve("a"), 1: "b" })), show("text", Array.fromAsync("a\u{1f600}")), show("null", Array.fromAsync(null)), show("five", Array.fromAsync(5)), show("reject", Array.fromAsync([1, Promise.reject(new RangeError("no"))])), show("mapper", Array.fromAsync([1], () => { throw new Error("map"); })), show("not", Array.fromAsync([1], 5)), show("iterator", Array.fromAsync({ [Symbol.asyncIterator]: 1 })), show("set", Array.fromAsync(new Set([3, 4]))), show("own", Array.fromAsync.call(class Own { constructor(n) { this.n = n; } }, [1]))]);
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
