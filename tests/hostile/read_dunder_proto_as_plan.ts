// row 45: as a plan's key
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("__proto__", { limits: { requests: { rate: 1, interval: "minute" } } })
//      ^^^^^^^^^^^ KEY_FORM
  a!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
