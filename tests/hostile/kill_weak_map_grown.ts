// row 88: a WeakMap whose keys are kept
import { Plan, Product } from "@svc/product";

const map = new WeakMap();
const keys = [];
for (;;) {
  const key = { room: new Array(200).fill(1) };
  keys.push(key);
  map.set(key, keys.length);
}
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(keys.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
