// row 37: V8's own syntax
import { Plan, Product } from "@svc/product";

const told = %DebugPrint(1);

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
