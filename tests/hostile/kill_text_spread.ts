// row 88: a long text as an array of its characters
import { Plan, Product } from "@svc/product";

const letters = [..."x".repeat(2 ** 29 - 24)];
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(letters.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
