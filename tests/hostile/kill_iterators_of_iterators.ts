// row 42: an iterator over an iterator over an iterator, and a step of it
import { Plan, Product, Raw } from "@svc/product";

let all: any = [1, 2, 3].values();
for (let i = 0; i < 200_000; i++) all = all.map((x) => x + 1);
const told = [all.next().value];
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
