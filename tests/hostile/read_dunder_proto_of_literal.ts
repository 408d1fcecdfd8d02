// row 44: the root reached through a literal
import { Plan, Product } from "@svc/product";

({}).__proto__.polluted = true;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
