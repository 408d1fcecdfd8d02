// row 44: the global itself put elsewhere
import { Plan, Product } from "@svc/product";

globalThis.Date = class {};
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
