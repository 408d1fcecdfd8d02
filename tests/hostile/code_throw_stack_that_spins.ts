// row 61: an error whose stack is a getter that spins
import { Plan, Product } from "@svc/product";

throw Object.defineProperty(new Error("x"), "stack", { get() { for (;;); } });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
