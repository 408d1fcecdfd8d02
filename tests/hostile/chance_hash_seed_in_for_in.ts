// row 16: for-in over own and inherited keys
import { Plan, Product } from "@svc/product";

const base = { z: 1, 5: 1, a: 1 };
const derived = Object.assign(Object.create(base), { q: 1, 3: 1, z: 2, 1: 1 });
const told = [];
for (const key in derived) told.push(key);
//= ok product.displayName "1,3,q,z,5,a"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
