// row 33: a stack that takes for ever to unwind
import { Plan, Product } from "@svc/product";

const dive = () => {
  try {
    dive();
  } finally {
    dive();
  }
};
dive();
//= BUILD_STACK_OVERFLOW | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
