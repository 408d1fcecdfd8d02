// row 74: with a computed name
import { Plan, Product } from "@svc/product";

const told = await import(["node", "fs"].join(":"));
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
