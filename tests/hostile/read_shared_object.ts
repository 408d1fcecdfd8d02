// row 41: one object in two places is no cycle
import { Plan, Product, Raw } from "@svc/product";

const shared = { n: 1 };
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: shared, b: [shared, shared] })
//= ok raw.b [{"n":1},{"n":1}]
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
