// row 71: what only sloppy code may write
import { Plan, Product } from "@svc/product";

const told = 010;

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
