// row 91: copies by slice, kept
import { Plan, Product } from "@svc/product";

const kept = [new ArrayBuffer(1 << 20)];
for (let i = 0; i < 64; i++) kept.push(kept[0].slice(0));
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
