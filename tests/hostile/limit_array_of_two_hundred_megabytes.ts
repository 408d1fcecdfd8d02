// A5: one array past the heap, dropped again
import { Plan, Product, Raw } from "@svc/product";

let all: unknown = new Array(2 ** 25 - 1).fill(0);
all = null;
for (let i = 0; i < 200_000; i++) new Array(100);
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
