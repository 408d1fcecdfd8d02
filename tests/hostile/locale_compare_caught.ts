// row 20: caught, with the plain order in its place
import { Plan, Product } from "@svc/product";

const compare = (a, b) => {
  try {
    return a.localeCompare(b);
  } catch {
    return a < b ? -1 : a > b ? 1 : 0;
  }
};
//= ok product.displayName "Z,a,z,\u00e4"
@Product({ name: "x", origin: "https://api.example.com", displayName: ["z", "\u00e4", "a", "Z"].sort(compare).join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
