// row 35: two functions that wait for each other
import { Plan, Product } from "@svc/product";

let release = () => {};
const gate = new Promise((resolve) => (release = resolve));
const a = (async () => {
  await b;
  release();
})();
const b = (async () => await gate)();
await a;
//@ UNSETTLED_AWAIT

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
