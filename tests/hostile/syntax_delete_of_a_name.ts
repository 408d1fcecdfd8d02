// row 92: what strict code may not delete
import { Plan, Product } from "@svc/product";

const told = 1;
delete told;

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
