// row 42: patterns without regard to case over all letters, each compiled
import { Plan, Product, Raw } from "@svc/product";

let found = 0;
for (let i = 0; i < 300; i++) if (new RegExp(`^[\\u{${(0x100 + i * 64).toString(16)}}-\\u{${(0x100 + i * 64 + 4000).toString(16)}}]+$`, "iu").test(String.fromCodePoint(0x100 + i * 64 + 9))) found++;
const told = [found];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
