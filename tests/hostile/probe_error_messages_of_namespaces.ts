// mistakes with names of namespaces, imports, enums and what is lowered
import { Plan, Product, Raw } from "@svc/product";
import * as all from "@svc/product";

// A name that is written out would be refused before anything runs.
const nope = String("nope");
const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
namespace N { export const a = 1; export const f = () => a; export namespace M { export const deep = {}; } }
enum E { a = 1 }
const told = [() => (N as any).nope(), () => (N as any).M.nope(), () => (N as any).M.deep.x.y, () => (N as any).a(), () => (N as any).x.y, () => (E as any).nope(), () => (E as any).a(), () => (E as any)[5].x, () => (all as any)[nope](), () => (all as any).Plan.x.y, () => { (all as any).Plan = 1; }, () => { delete (all as any).Plan; }, () => { (Plan as any).x = 1; }, () => (all as any)(), () => all[Symbol.iterator](), () => { N = 1 as any; }, () => { (E as any) = 1; }, () => Reflect.ownKeys(N).map(String).join(), () => Reflect.ownKeys(all).map(String).join(), () => Object.prototype.toString.call(all), () => String(N), () => JSON.stringify(N), () => Object.isFrozen(all), () => Object.isExtensible(N)].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
