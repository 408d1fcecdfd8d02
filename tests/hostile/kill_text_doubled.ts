// row 88: a rope that doubles ends at the language's own limit
import { Plan, Product } from "@svc/product";

let text = "x";
for (;;) text += text;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: text })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
