// row 45: 60,000 promises fail, and each is handled later, the first one first
import { Plan, Product, Raw } from "@svc/product";

const failed = Array.from({ length: 60_000 }, (_, i) => Promise.reject(i));
await null;
let caught = 0;
for (const one of failed) one.catch(() => { caught++; });
await null;
await null;
const told = [caught];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
