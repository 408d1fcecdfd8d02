// row 44: the thrower taken away, in the hope of what lies under it
import { Plan, Product } from "@svc/product";

delete Date.now;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(Date.now()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
