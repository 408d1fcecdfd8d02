// row 42: a rope that is long only when it is read
import { Plan, Product } from "@svc/product";

//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", description: "x".repeat(2 ** 29 - 24) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
