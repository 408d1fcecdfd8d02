// row 45: an inherited name is not declared by being inherited
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" }, constructor: { rate: 1, interval: "minute" } } })
//                                                                     ^^^^^^^^^^^ UNKNOWN_METER
  free!: void;
}
