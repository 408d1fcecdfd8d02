// row 88: twenty-four levels of an object that holds the next one twice
import { Plan, Product } from "@svc/product";

let object = { a: "xxxxxxxx" };
for (let i = 0; i < 24; i++) object = { a: object, b: object };
const kept = [];
for (;;) kept.push(JSON.stringify(object));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
