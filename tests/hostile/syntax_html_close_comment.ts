// row 76: its end at the beginning of a line
import { Plan, Product } from "@svc/product";

--> hidden

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
