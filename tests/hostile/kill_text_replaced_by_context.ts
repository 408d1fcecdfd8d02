// row 88: each match replaced by everything before it
import { Plan, Product } from "@svc/product";

const text = "x".repeat(20_000).replace(/x/g, "$`$'");
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(text.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
