// row 42: a function that is bound again and again, and called
import { Plan, Product, Raw } from "@svc/product";

let bound: any = function end() { return arguments.length; };
for (let i = 0; i < 300_000; i++) bound = bound.bind(null, i);
const told = [bound()];
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
