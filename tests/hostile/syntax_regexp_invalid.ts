// row 92: an expression that is none
import { Plan, Product } from "@svc/product";

const told = /(?<a>x)(?<a>y)/;

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
