// row 44: a clock of one's own in place of the missing one
import { Plan, Product } from "@svc/product";

Date.now = () => 5;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(Date.now()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
