// row 59: strict code may not name a variable so
import { Plan, Product } from "@svc/product";

const eval = (text) => text;

@Product({ name: "x", origin: "https://api.example.com", displayName: eval("1") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
