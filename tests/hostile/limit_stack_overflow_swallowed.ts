// row 31: caught, and nothing made of it
import { Plan, Product } from "@svc/product";

const dive = () => dive();
try {
  dive();
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
