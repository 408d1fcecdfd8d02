// row 21: a BigInt's text by locale
import { Plan, Product } from "@svc/product";

const told = 1234n.toLocaleString("de");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
