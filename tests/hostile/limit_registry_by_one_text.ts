// row 42: one description over the registry's limit
import { Plan, Product } from "@svc/product";

//= BUILD_REGISTRY_TOO_LARGE
@Product({ name: "x", origin: "https://api.example.com", description: "x".repeat(2 << 20) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
