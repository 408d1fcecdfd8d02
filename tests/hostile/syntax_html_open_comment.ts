// row 76: a comment that only scripts may have
import { Plan, Product } from "@svc/product";

const told = 1; <!-- hidden

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
