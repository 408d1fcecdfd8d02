// row 74: the keyword with an escape, which the grammar forbids
import { Plan, Product } from "@svc/product";

const told = im\u0070ort("node:fs");

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
