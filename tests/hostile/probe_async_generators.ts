// async generators: queued requests, return, throw, yield of promises and delegation
import { Plan, Product, Raw } from "@svc/product";

const log = [];
async function* g(name) { try { log.push(`${name} start`); const got = yield Promise.resolve(1); log.push(`${name} got ${got}`); yield* [Promise.resolve(2), 3]; yield* inner(name); return Promise.resolve("end"); } catch (e) { log.push(`${name} caught ${e}`); yield "recovered"; } finally { log.push(`${name} finally`); await null; log.push(`${name} finally 2`); } }
async function* inner(name) { try { yield `${name} inner`; yield "never"; } finally { log.push("inner finally"); yield "from finally"; } }
const a = g("a"); const queued = [a.next("x"), a.next("y"), a.return("early"), a.next(), a.throw(new Error("late")).catch((e) => e.message)];
log.push(JSON.stringify(await Promise.all(queued)));
const b = g("b"); await b.next(); log.push(JSON.stringify(await b.throw("thrown")), JSON.stringify(await b.next()), JSON.stringify(await b.next()));
for await (const x of g("c")) { log.push(`c ${x}`); if (String(x).includes("inner")) break; }
try { for await (const x of [1, Promise.reject(new Error("element"))]) log.push(x + ""); } catch (e) { log.push(e.message); }
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
