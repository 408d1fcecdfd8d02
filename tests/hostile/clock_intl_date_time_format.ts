// row 6: formatting reads the clock when no date is given
import { Plan, Product } from "@svc/product";

const now = new Intl.DateTimeFormat("en", { timeStyle: "long" }).format();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
