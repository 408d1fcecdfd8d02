// row 42: classes of letters that are united and cut again and again
import { Plan, Product, Raw } from "@svc/product";

let set = "[\\p{L}--\\p{Lu}]";
let found = 0;
for (let i = 0; i < 400; i++) { const all = new RegExp(`^${`[${set}&&[\\p{L}\\p{N}${String.fromCodePoint(0x1f300 + i)}]]`}+$`, "v"); if (all.test("abcé")) found++; }
const told = [found];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
