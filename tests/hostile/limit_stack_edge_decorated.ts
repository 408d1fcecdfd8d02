// row 62: the decorator itself is applied at the edge, in the hope of half a declaration
import { Plan, Product } from "@svc/product";

class Y {}
const dive = () => {
  try {
    dive();
  } catch {
    Plan("edge", { limits: {} })(Y.prototype, "edge");
  }
};
try {
  dive();
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
