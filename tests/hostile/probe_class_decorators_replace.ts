// decorators that replace methods, accessors and classes
import { Plan, Product, Raw } from "@svc/product";

const twice = (target, key, descriptor) => ({ ...descriptor, value: function (...args) { return descriptor.value.apply(this, args) * 2; } });
const double = (target, key, descriptor) => ({ ...descriptor, get() { return descriptor.get.call(this) * 2; } });
const wrap = (Kind) => class Wrapped extends Kind { extra = Kind.name; };
const hide = (target, key, descriptor) => { descriptor.enumerable = true; descriptor.writable = false; };
@wrap @wrap class A { @twice @twice m(x) { return x; } @double get g() { return this.n; } n = 4; @hide h() { return 1; } static self = () => A.name; }
const told = [String(new A().m(3)), String(new A().g), A.name, A.self(), JSON.stringify(new A()), String(Object.getPrototypeOf(A).name), Object.keys(Object.getPrototypeOf(Object.getPrototypeOf(A)).prototype).join(), JSON.stringify(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Object.getPrototypeOf(A)).prototype, "h"))];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
