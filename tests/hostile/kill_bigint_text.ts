// row 88: the decimal text of a number of millions of bits
import { Plan, Product } from "@svc/product";

const large = 3n ** 5_000_000n;
for (;;) String(large);
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
