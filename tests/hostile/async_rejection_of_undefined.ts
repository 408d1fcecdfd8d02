// row 34: a rejection with nothing in it
import { Plan, Product } from "@svc/product";

Promise.reject();
//? UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
