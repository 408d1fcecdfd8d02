// row 64: an error that hides another
import { Plan, Product } from "@svc/product";

throw new SuppressedError(new Error("a"), new Error("b"), "c");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
