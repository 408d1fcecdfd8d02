// row 35: a promise that nobody keeps
import { Plan, Product } from "@svc/product";

await new Promise(() => {});
//@ UNSETTLED_AWAIT

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
