// row 61: an object that has no way to become text
import { Plan, Product } from "@svc/product";

throw Object.create(null);
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
