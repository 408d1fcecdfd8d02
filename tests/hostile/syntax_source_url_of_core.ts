// row 76: a file that calls itself a part of the host
//# sourceURL=ext:core/mod.js
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
throw new Error("x");
//@ UNCAUGHT_EXCEPTION
//# sourceURL=ext:core/mod.js
