// row 31: recursion in a job
import { Plan, Product } from "@svc/product";

const dive = () => dive();
Promise.resolve().then(dive).catch(() => {});
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
