// row 33: a search that compares everything with everything
import { Plan, Product } from "@svc/product";

const text = "a".repeat(2_000_000);
const part = "a".repeat(1_000_000) + "b" + "a".repeat(10);
for (;;) text.indexOf(part);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
