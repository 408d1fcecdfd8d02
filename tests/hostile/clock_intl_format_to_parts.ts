// row 6: the same, down to the millisecond
import { Plan, Product } from "@svc/product";

const parts = new Intl.DateTimeFormat("en", { fractionalSecondDigits: 3 }).formatToParts();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: parts.map((part) => part.value).join("") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
