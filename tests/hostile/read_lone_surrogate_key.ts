// row 49: as a key
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ ["\ud800"]: 1 })
//   ^^^^^^^^^^^^^^^^^ TEXT_FORM
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
