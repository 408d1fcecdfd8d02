// row 44: a generator of one's own in place of the missing one
import { Plan, Product } from "@svc/product";

Math.random = () => 0.5;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(Math.random()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
