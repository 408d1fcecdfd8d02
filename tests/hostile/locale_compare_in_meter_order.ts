// row 20: meters in the order of the host's collation
import { Plan, Product } from "@svc/product";

const keys = ["z", "\u00e4", "a"].sort((a, b) => a.localeCompare(b));
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: keys.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
