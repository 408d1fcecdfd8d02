// row 91: many small buffers, kept
import { Plan, Product } from "@svc/product";

const kept = [];
for (let i = 0; i < 64; i++) kept.push(new Uint8Array(1 << 20).fill(1));
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
