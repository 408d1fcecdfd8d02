// row 88: promises that nobody keeps, all waiting
import { Plan, Product } from "@svc/product";

const waiting = [];
for (;;) waiting.push(new Promise((resolve) => resolve(new Array(200).fill(1))).then((value) => value.length));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(waiting.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
