// row 33: an array that grows while it is walked
import { Plan, Product } from "@svc/product";

const list = [1];
for (const item of list) list.push(item);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(list.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
