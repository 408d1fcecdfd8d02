// row 20: collation by an object
import { Plan, Product } from "@svc/product";

const keys = ["b", "a"].sort(new Intl.Collator().compare);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: keys.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
