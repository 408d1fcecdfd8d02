// AggregateError of any, nested causes and suppressed errors, walked
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const show = (error, depth = 0) => { log.push(`${" ".repeat(depth)}${error?.name ?? typeof error}: ${error?.message ?? String(error)}`); if (depth > 8) return; if (error?.errors) for (const inner of error.errors) show(inner, depth + 1); if (error && typeof error === "object" && "cause" in error) show(error.cause, depth + 1); if (error?.suppressed !== undefined) show(error.suppressed, depth + 1); if (error?.error !== undefined) show(error.error, depth + 1); };
await Promise.any([Promise.reject(new Error("first")), Promise.reject(2), Promise.reject(new AggregateError([3], "inner", { cause: new RangeError("cause") }))]).catch(show);
await Promise.any([]).catch(show);
await Promise.all([1, Promise.reject(new TypeError("all"))]).catch(show);
log.push(JSON.stringify(await Promise.allSettled([1, Promise.reject(2), { then: (_, no) => no(3) }])));
try { const stack = new DisposableStack(); stack.defer(() => { throw new Error("one"); }); stack.defer(() => { throw new Error("two"); }); stack.defer(() => { throw new Error("three"); }); stack.dispose(); } catch (error) { show(error); }
try { throw new Error("a", { cause: new Error("b", { cause: new Error("c") }) }); } catch (error) { show(error); }
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
