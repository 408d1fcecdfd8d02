// row 45: the literal form sets a prototype, so the object is no plain one
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: { "__proto__": { rate: 1 } } })
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
