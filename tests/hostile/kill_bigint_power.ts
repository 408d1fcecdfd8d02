// row 88: a number with too many digits ends at the language's own limit
import { Plan, Product } from "@svc/product";

const large = 2n ** (2n ** 30n);
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(large) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
