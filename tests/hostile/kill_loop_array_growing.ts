// row 33: an array that is shifted and pushed while it is walked
import { Plan, Product } from "@svc/product";

const list = [1, 2];
for (const item of list) {
  list.push(item);
  list.splice(0, 1);
  list.unshift(item);
  list.length = Math.min(list.length, 1000);
}
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
