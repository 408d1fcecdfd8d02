// row 31: recursion in a decorator of the author's
import { Plan, Product } from "@svc/product";

const dive = () => dive();
const marked = () => {
  try {
    dive();
  } catch {}
};
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @marked
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
