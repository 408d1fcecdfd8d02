// DisposableStack and AsyncDisposableStack: use, adopt, defer, move and mistakes
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const log = [];
const stack = new DisposableStack(); const r = { n: "r", [Symbol.dispose]() { log.push(`dispose ${this.n}`); } };
log.push(String(stack.use(r) === r), String(stack.adopt(5, (v) => log.push(`adopt ${v}`))), String(stack.defer(() => log.push("defer"))), String(stack.use(null)), String(stack.disposed));
const moved = stack.move(); log.push(String(stack.disposed), attempt(() => stack.use(r)), attempt(() => stack.move()), attempt(() => stack.dispose())); moved.dispose(); moved.dispose();
log.push(...[() => new DisposableStack().use(5), () => new DisposableStack().use({}), () => new DisposableStack().adopt(1, 2), () => new DisposableStack().defer(), () => DisposableStack(), () => String(moved), () => DisposableStack.prototype.dispose === DisposableStack.prototype[Symbol.dispose], () => DisposableStack.prototype.use.call({}), () => Reflect.ownKeys(DisposableStack.prototype).map(String).join(), () => Reflect.ownKeys(AsyncDisposableStack.prototype).map(String).join(), () => Reflect.ownKeys(new SuppressedError(1, 2, 3)).join(), () => SuppressedError.length, () => Iterator.prototype[Symbol.dispose]?.name].map(attempt));
const later = new AsyncDisposableStack(); later.use(r); later.use({ async [Symbol.asyncDispose]() { log.push("async"); await null; throw new Error("x"); } }); later.defer(async () => { log.push("deferred"); throw new Error("y"); }); later.adopt(1, async (v) => { log.push(`adopted ${v}`); });
await later.disposeAsync().catch((e) => log.push(`${e.name} ${e.error?.message} ${e.suppressed?.message}`)); log.push(String(later.disposed), String(await later.disposeAsync()));
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
