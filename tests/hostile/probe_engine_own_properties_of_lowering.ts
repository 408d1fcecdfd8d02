// nothing of the lowering shows on classes, namespaces, enums, modules and globals
import { Plan, Product, Raw } from "@svc/product";
import * as self from "@svc/product";

const d = (...x: any[]) => undefined as any; namespace N { export let a = 1; export const b = () => a; } enum E { a } abstract class A { abstract x: number; @d y = 1; accessor z = 2; constructor(private p = 1) {} @d m() {} static #q = 1; }
class B extends A { x = 1; } const told = [N, E, A, A.prototype, new B(), B, self, globalThis, (function () { return arguments; })()].map((v) => `${Reflect.ownKeys(v).map(String).join()} ${Object.prototype.toString.call(v)} ${Object.getPrototypeOf(v) === null ? "null" : Object.getPrototypeOf(v).constructor?.name}`);
told.push(typeof _decorate, typeof _N, typeof _A, typeof _default, typeof _class, typeof _usingCtx, typeof _defineProperty, typeof _toPropertyKey, typeof A_1, typeof decorate, typeof harden, typeof refuse, typeof GuestDate);
//? SYNTAX_NOT_SUPPORTED
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
