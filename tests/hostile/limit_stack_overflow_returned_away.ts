// row 31: a `finally` that returns lets no error out
import { Plan, Product } from "@svc/product";

const dive = () => {
  try {
    return dive();
  } finally {
    return 1;
  }
};
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com", displayName: String(dive()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
