// row 88: names that are all kept
import { Plan, Product } from "@svc/product";

const object = {};
for (let i = 0; ; i++) object[`${i}-${"x".repeat(500)}`.slice(0, 400)] = new Array(100).fill(i);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(object) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
