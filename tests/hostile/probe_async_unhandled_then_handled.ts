// rejections that are handled within the same turn, in many ways
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const make = (v) => Promise.reject(new Error(v));
const a = make("a"); a.catch((e) => log.push(e.message));
const b = make("b"); await Promise.allSettled([b]);
const c = make("c"); try { await c; } catch (e) { log.push(e.message); }
const d = make("d").then(() => log.push("never"), (e) => log.push(`second ${e.message}`)); await d;
const e = (async () => { throw new Error("e"); })(); await e.then(null, (x) => log.push(x.message));
const f = Promise.any([make("f")]).catch((x) => log.push(x.errors[0].message)); await f;
const g = make("g"); Promise.race([g, 1]).catch((x) => log.push(`race ${x.message}`)); await null; await null; await null;
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
