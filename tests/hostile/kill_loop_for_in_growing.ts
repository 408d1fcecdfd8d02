// row 33: an iteration over a Map that grows while it is walked
import { Plan, Product } from "@svc/product";

const map = new Map([[0, 0]]);
for (const [key] of map) {
  map.delete(key);
  map.set(key + 1, 0);
}
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
