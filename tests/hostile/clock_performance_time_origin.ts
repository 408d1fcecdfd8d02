// row 9: the moment the process began
import { Plan, Product } from "@svc/product";

const { timeOrigin } = performance;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(timeOrigin) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
