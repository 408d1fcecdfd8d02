// parameter properties with defaults, order against fields, and inheritance
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const w = (name, value) => (log.push(name), value);
class A { f = w("field", (this as any).a); constructor(public a = w("default a", 1), readonly b: number = w("default b", a + 1), private c?: string) { log.push(`body ${this.f} ${this.a} ${this.b} ${this.c}`); } }
class B extends A { g = w("field g", this.a); constructor(public d: number, a?: number) { log.push("before"); super(a); log.push(`after ${this.d} ${this.g}`); } }
const told = [JSON.stringify(new A()), JSON.stringify(new A(5, 6, "x")), JSON.stringify(new B(9)), JSON.stringify(new B(8, 7)), Object.keys(new B(1)).join(), String(A.length), String(B.length), ...log];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
