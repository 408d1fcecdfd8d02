// row 44: an addition harms nobody and is refused all the same
import { Plan, Product } from "@svc/product";

Math.double = (value) => value * 2;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(Math.double(2)) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
