// all, allSettled, any, race, try and withResolvers over mixed values, in order
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const later = (value, turns) => { let p = Promise.resolve(); for (let i = 0; i < turns; i++) p = p.then(() => {}); return p.then(() => value); };
const fail = (value, turns) => later(value, turns).then((v) => { throw v; });
const show = (name) => [(v) => log.push(`${name} ok ${JSON.stringify(v)}`), (e) => log.push(`${name} no ${e?.name ?? ""} ${e?.message ?? e} ${JSON.stringify(e?.errors)}`)];
await Promise.allSettled([Promise.all([later(1, 3), 2, later(3, 1)]).then(...show("all")), Promise.all([later(1, 5), fail(2, 3), fail(3, 1)]).then(...show("all fails")), Promise.race([later(1, 3), later(2, 2), fail(3, 4)]).then(...show("race")), Promise.any([fail(1, 1), later(2, 5), later(3, 3)]).then(...show("any")), Promise.any([fail(1, 2), fail(2, 1)]).then(...show("any fails")), Promise.allSettled([fail(1, 2), later(2, 1)]).then(...show("settled")), Promise.all([]).then(...show("none")), Promise.all(5).then(...show("no list")), Promise.all([1, { then: 5 }, { get then() { throw "getter"; } }]).then(...show("getter")), Promise.try?.(() => { throw "tried"; }).then(...show("try")), Promise.try?.((a, b) => a + b, 1, 2).then(...show("try args")), (() => { const { promise, resolve, reject } = Promise.withResolvers(); reject("first"); resolve("second"); return promise; })().then(...show("resolvers")), later(9, 1).finally(() => later(0, 2)).then(...show("finally")), later(9, 1).finally(() => { throw "replaced"; }).then(...show("finally throws"))]);
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
