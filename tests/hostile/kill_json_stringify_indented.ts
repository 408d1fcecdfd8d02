// row 88: much indentation
import { Plan, Product } from "@svc/product";

let object = [];
for (let i = 0; i < 300; i++) object = [object, 1, 2, 3];
const wide = new Array(250).fill(object);
const kept = [];
for (;;) kept.push(JSON.stringify(wide, null, 10));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
