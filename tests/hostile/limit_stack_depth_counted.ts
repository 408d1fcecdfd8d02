// row 31: the number of frames that fit, which differs by run, as an input
import { Plan, Product } from "@svc/product";

let depth = 0;
const dive = () => {
  depth++;
  dive();
};
try {
  dive();
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com", displayName: String(depth) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
