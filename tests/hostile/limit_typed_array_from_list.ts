// row 91: a typed array made of a long list
import { Plan, Product } from "@svc/product";

const numbers = Float64Array.from({ length: 4_000_000 }, (_, i) => i);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(numbers.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
