// the steps of a module with awaits, classes and decorators in between
import { Plan, Product, Raw } from "@svc/product";

const log = [];
Promise.resolve().then(() => log.push("job 1")).then(() => log.push("job 2")).then(() => log.push("job 3"));
log.push("sync"); await null; log.push("after 1");
const d = (name) => (log.push(`made ${name}`), () => { log.push(`applied ${name}`); });
@d("class") class A { @d("field") x = log.push("field"); static y = log.push("static"); static { Promise.resolve().then(() => log.push("job of block")); } }
await 1; log.push("after 2"); new A(); for await (const x of [1, 2]) log.push(`loop ${x}`);
{ await using r = { async [Symbol.asyncDispose]() { log.push("disposing"); await null; log.push("disposed"); } }; log.push("using"); }
log.push("end"); await new Promise((yes) => { let n = 0; const tick = () => (n++ < 20 ? Promise.resolve().then(tick) : yes(0)); tick(); }); log.push("twenty jobs later");
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
