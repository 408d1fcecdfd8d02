// row 88: a flat text of many small objects
import { Plan, Product } from "@svc/product";

const parsed = JSON.parse(`[${"{},".repeat(5_000_000)}0]`);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(parsed.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
