// the property `stack`: whose it is, what reads and writes it, and whether that can be changed
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const error = new RangeError("r", { cause: 1 });
const holders = [];
for (let o = error; o !== null; o = Object.getPrototypeOf(o)) holders.push(Object.hasOwn(o, "stack"));
told.push(holders.join());
for (const one of [error, new AggregateError([]), Object.setPrototypeOf(new Error("n"), null)]) {
  const own = Object.getOwnPropertyDescriptor(one, "stack") ?? {};
  told.push(Object.keys(own).sort().join());
  for (const part of [own.get, own.set]) if (part !== undefined) told.push(part.name, String(part.length), String(Object.isFrozen(part)));
}
const plain: any = {};
Error.captureStackTrace(plain);
told.push(String(plain.stack), Object.keys(plain).join());
const sealed = Object.preventExtensions({});
try { Error.captureStackTrace(sealed); told.push("captured"); } catch (e) { told.push(e.message); }
error.stack = "mine";
told.push(String(error.stack));
told.push(String(delete error.stack), String(error.stack));
told.push(JSON.stringify(Object.getOwnPropertyNames(new TypeError("t")).sort()));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
