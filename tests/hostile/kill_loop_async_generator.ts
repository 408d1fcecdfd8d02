// row 33: an async generator that never ends
import { Plan, Product } from "@svc/product";

async function* endless() {
  for (;;) yield 1;
}
for await (const one of endless()) String(one);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
