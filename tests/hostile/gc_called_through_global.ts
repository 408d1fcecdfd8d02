// row 37: the collector as a property is undefined
import { Plan, Product } from "@svc/product";

globalThis.gc({ type: "major" });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
