// mistakes with accessors, parameter properties, decorated members and private names
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const pass = (...args: unknown[]) => undefined as any;
class A { accessor x = 1; static accessor y = 2; constructor(readonly p: number, private q = p.nope) {} declare z: number; }
class B { @pass m() { return (this as any).nope.deep; } @pass f = 1; @pass get g() { return this.h.i; } h: any; @pass static s = 2; }
class C extends B { override m() { return super.nope(); } constructor() { if (false) super(); this.f = 1; } }
abstract class D { abstract m(): void; run() { this.m(); } }
const told = [() => A.prototype.x, () => (A as any).y.z.w, () => Reflect.get(A.prototype, "x", {}), () => Reflect.set(A.prototype, "x", 1, {}), () => Object.getOwnPropertyDescriptor(A, "y")!.get!.call({}), () => new A(1).z.y, () => new (A as any)(), () => (new B() as any).m(), () => new B().g, () => B.prototype.m.call(null), () => new C(), () => C.prototype.m.call(new B()), () => new (D as any)().run(), () => (D as any)(), () => (class extends (null as any) {}), () => new (class extends (null as any) {})(), () => (class extends (5 as any) {}), () => (class extends (Math.max as any) {}), () => new (class extends B { constructor() { super(); super(); } })(), () => new (class extends B { constructor() { return 1 as any; } })(), () => (class { static [null!.x] = 1; }), () => { @((null as any).nope) class Z {} }, () => { @(5 as any) class Z {} }, () => { @(null as any) class Z {} return "none"; }, () => { class Z { @(undefined as any).x y; } }, () => Reflect.ownKeys(A).map(String).join(), () => Reflect.ownKeys(A.prototype).map(String).join(), () => Reflect.ownKeys(new A({ nope: 1 } as any)).map(String).join(), () => Reflect.ownKeys(B).map(String).join(), () => Reflect.ownKeys(new B()).map(String).join(), () => JSON.stringify(Object.getOwnPropertyDescriptors(A.prototype)), () => A.length, () => Object.getOwnPropertyDescriptor(A.prototype, "x")!.get!.name, () => B.prototype.m.name].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
