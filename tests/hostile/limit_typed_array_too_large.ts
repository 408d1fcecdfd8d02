// row 32: a typed array over the cap
import { Plan, Product } from "@svc/product";

const numbers = new Float64Array(3_000_000);
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(numbers.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
