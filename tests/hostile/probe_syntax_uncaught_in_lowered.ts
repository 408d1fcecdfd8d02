// uncaught in an accessor that was lowered: what is named is the author's
import { Plan, Product } from "@svc/product";
const tag = (...x: any[]) => undefined as any;
class A { @tag accessor x = 1; static read(o: any) { return Reflect.get(A.prototype, "x", o); } }
A.read({});
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
