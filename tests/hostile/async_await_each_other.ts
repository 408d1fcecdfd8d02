// row 35: two functions that wait for each other
import { Plan, Product } from "@svc/product";

const first = (async () => {
  await null;
  await second;
})();
const second = (async () => await first)();
await first;
//@ UNSETTLED_AWAIT

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
