// row 88: a Set of numbers that grows to the largest table
import { Plan, Product } from "@svc/product";

const set = new Set();
for (let i = 0; ; i++) set.add(i + 0.5);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(set.size) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
