// row 30: weak keys are allowed, for nothing tells when they go
import { Plan, Product } from "@svc/product";

const map = new WeakMap();
const set = new WeakSet();
const key = {};
for (let i = 0; i < 1000; i++) map.set({}, i), set.add([]);
map.set(key, "kept");
//= ok product.displayName "kept,false,undefined,undefined"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [map.get(key), set.has(key), typeof map.size, typeof map.keys].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
