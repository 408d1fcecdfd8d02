// row 21: a given date, by locale
import { Plan, Product } from "@svc/product";

const told = new Date(0).toLocaleString("en", { timeZone: "Asia/Tokyo" });
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
