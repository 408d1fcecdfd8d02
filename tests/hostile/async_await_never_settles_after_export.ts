// row 35: everything is declared, and yet the module never ends
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
await new Promise(() => {});
//@ UNSETTLED_AWAIT
