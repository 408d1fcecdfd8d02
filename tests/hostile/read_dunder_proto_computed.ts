// row 45: the computed form is a key of its own
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ ["__proto__"]: { rate: 1 } })
//      ^^^^^^^^^^^ KEY_FORM
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
