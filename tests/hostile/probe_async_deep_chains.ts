// ten thousand promises in chains, trees and rings
import { Plan, Product, Raw } from "@svc/product";

const log = [];
let chain = Promise.resolve(0); for (let i = 0; i < 10000; i++) chain = chain.then((n) => n + 1); log.push(String(await chain));
const tree = async (n) => (n ? (await tree(n - 1)) + (await tree(n - 1)) : 1); log.push(String(await tree(10)));
const order = []; await Promise.all(Array.from({ length: 300 }, async (_, i) => { for (let k = 0; k < i % 7; k++) await null; order.push(i); })); let sum = 0; for (const i of order) sum = (Math.imul(sum, 31) + i) | 0; log.push(`${sum} ${order.slice(0, 12)} ${order.slice(-5)}`);
const gen = (async function* () { for (let i = 0; i < 500; i++) yield i; })(); let got = 0; for await (const i of gen) got += i; log.push(String(got));
let nested = Promise.resolve(1); for (let i = 0; i < 200; i++) { const before = nested; nested = new Promise((yes) => yes(before)); } log.push(String(await nested));
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
