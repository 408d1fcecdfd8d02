// row 22: what this ICU has
import { Plan, Product } from "@svc/product";

const told = Intl.supportedValuesOf("timeZone").length;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
