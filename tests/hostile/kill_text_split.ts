// row 88: a text split into its letters
import { Plan, Product } from "@svc/product";

const letters = "xy".repeat(10_000_000).split("");
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(letters.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
