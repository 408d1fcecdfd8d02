// row 62: recursion to the edge, then the package is called there
import { Meter, Plan, Product } from "@svc/product";

let told = 0;
const apply = Meter;
const dive = () => {
  try {
    dive();
  } catch {
    try {
      apply("edge");
      told++;
    } catch {}
  }
};
dive();
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
