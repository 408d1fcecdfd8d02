// row 64: a name that nobody has ever had
import { Plan, Product } from "@svc/product";

const told = nowhereToBeFound;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
