// row 42: the keys of a proxy of a proxy, 100,000 deep
import { Plan, Product, Raw } from "@svc/product";

let all: any = { a: 1 };
for (let i = 0; i < 100_000; i++) all = new Proxy(all, {});
const told = [Reflect.ownKeys(all).length];
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
