// row 41: 100,000 arrays inside each other, by the parser
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) })
//= BUILD_STACK_OVERFLOW
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
