// row 33: one limit in the handler of another
import { Plan, Product } from "@svc/product";

const kept = [];
try {
  const dive = () => dive();
  dive();
} finally {
  for (;;) kept.push(new Array(1000).fill(1));
}
//= BUILD_STACK_OVERFLOW | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
