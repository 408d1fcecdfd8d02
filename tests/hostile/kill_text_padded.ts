// row 88: padding, flattened by a search
import { Plan, Product } from "@svc/product";

const found = "".padEnd(2 ** 29 - 24, "ab").indexOf("c");
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(found) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
