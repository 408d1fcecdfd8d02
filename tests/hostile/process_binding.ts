// row 23: Node's door to its inner side
import { Plan, Product } from "@svc/product";

const fs = process.binding("fs");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(fs) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
