// row 31: one call with more arguments than the stack holds
import { Plan, Product } from "@svc/product";

const many = new Array(1_000_000).fill(1);
try {
  Math.max(...many);
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
