// row 92: one name declared twice, which only a scope analysis finds
import { Plan, Product } from "@svc/product";

const told = 1;
const told = 2;

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
