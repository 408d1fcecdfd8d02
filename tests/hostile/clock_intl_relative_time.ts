// row 6: a second constructor of Intl, called without `new`
import { Plan, Product } from "@svc/product";

const format = Intl.RelativeTimeFormat;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: new format("en").format(1, "day") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
