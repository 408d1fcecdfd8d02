// row 45: as a key of a declaration
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("__proto__")
//       ^^^^^^^^^^^ KEY_FORM
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
