// row 34: a rejection that nobody handles
import { Plan, Product } from "@svc/product";

Promise.reject(new Error("lost"));
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
