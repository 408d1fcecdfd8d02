// row 88: a Map that grows
import { Plan, Product } from "@svc/product";

const map = new Map();
for (let i = 0; ; i++) map.set(i, new Array(500).fill(i));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(map.size) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
