// row 42: a text that JSON makes six times longer
import { Plan, Product } from "@svc/product";

//= BUILD_REGISTRY_TOO_LARGE
@Product({ name: "x", origin: "https://api.example.com", description: "\u0001".repeat(300_000) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
