// row 42: generators that wait for ever, all of them kept
import { Plan, Product } from "@svc/product";

const kept = [];
function* wait(n) { const held = [n, n + 1, n + 2]; while (true) yield held; }
for (let i = 0; ; i++) { const one = wait(i); one.next(); kept.push(one); }
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
