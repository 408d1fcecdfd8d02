// row 56: two products in one build
import { Plan, Product } from "@svc/product";

@Product({ name: "y", origin: "https://api.example.org" })
class Y {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}

@Product({ name: "x", origin: "https://api.example.com", displayName: Y.name })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? PRODUCT_TWICE
