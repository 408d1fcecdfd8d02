// row 33: a generator that refuses to be closed
import { Plan, Product } from "@svc/product";

function* stubborn() {
  for (;;) {
    try {
      yield 1;
    } finally {
      continue;
    }
  }
}
for (const one of stubborn()) if (one) break;
for (const one of stubborn()) String(one);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
