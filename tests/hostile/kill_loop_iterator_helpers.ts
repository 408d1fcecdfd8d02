// row 33: a built-in that walks an endless iterator
import { Plan, Product } from "@svc/product";

const told = Iterator.from({ next: () => ({ done: false, value: 1 }) }).every((one) => one === 1);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
