// row 44: a global of one's own
import { Plan, Product } from "@svc/product";

globalThis.leak = 1;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
