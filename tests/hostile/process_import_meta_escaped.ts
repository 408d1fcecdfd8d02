// row 24: the property with an escape, which the grammar forbids
import { Plan, Product } from "@svc/product";

const here = import.m\u0065ta.url;

@Product({ name: "x", origin: "https://api.example.com", displayName: here })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
