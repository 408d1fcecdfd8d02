// row 56: the class made a product a second time, by hand
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
Product({ name: "y", origin: "https://api.example.org" })(X);
//? DECORATOR_MISUSE
