// row 31: a Proxy of a Proxy of a Proxy
import { Plan, Product } from "@svc/product";

let chain = {};
for (let i = 0; i < 100_000; i++) chain = new Proxy(chain, {});
try {
  chain.x;
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
