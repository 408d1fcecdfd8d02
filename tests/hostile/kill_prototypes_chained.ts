// row 42: 100,000 objects, each the prototype of the next
import { Plan, Product, Raw } from "@svc/product";

let last: any = { end: 7 };
for (let i = 0; i < 100_000; i++) last = Object.create(last);
const told = [last.end, "missing" in last, String(last.missing)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
