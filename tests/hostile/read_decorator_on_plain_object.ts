// row 56: a decorator called on something that is no class
import { Plan, Product } from "@svc/product";

Plan("loose")({}, "loose");

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? DECORATOR_MISUSE
