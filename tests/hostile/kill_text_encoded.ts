// row 88: one letter turned into nine
import { Plan, Product } from "@svc/product";

const text = encodeURIComponent("\u20ac".repeat(10_000_000));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(text.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
