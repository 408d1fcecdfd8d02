// row 33: a comparator that never answers
import { Plan, Product } from "@svc/product";

const sorted = [3, 2, 1].sort(() => {
  for (;;);
});
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(sorted) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
