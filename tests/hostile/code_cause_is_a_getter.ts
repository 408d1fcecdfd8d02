// row 64: a cause that spins when it is read
import { Plan, Product } from "@svc/product";

throw Object.defineProperty(new Error("x"), "cause", { get() { for (;;); } });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
