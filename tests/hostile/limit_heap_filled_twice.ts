// row 89: filled almost, emptied, and filled again, beyond the limit
import { Plan, Product } from "@svc/product";

let kept = [];
for (let i = 0; i < 5000; i++) kept.push(new Array(1000).fill(i));
kept = [];
for (let i = 0; i < 50_000; i++) kept.push(new Array(1000).fill(i));
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
