// row 92: markup in a `.ts` file
import { Plan, Product } from "@svc/product";

const view = <div>{"x"}</div>;

@Product({ name: "x", origin: "https://api.example.com", displayName: String(view) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
