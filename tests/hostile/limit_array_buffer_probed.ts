// row 32: the cap sought by halving
import { Plan, Product } from "@svc/product";

let size = 1 << 30;
for (;;) {
  try {
    new ArrayBuffer(size);
    break;
  } catch {
    size >>= 1;
  }
}
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(size) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
