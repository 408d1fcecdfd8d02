// row 1: the function as somebody else's callback
import { Plan, Product } from "@svc/product";

const now = ["1970"].map(Date)[0];
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
