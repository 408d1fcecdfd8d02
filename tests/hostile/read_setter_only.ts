// row 38: an option that can only be written
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ set a(_value) {} })
//@ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
