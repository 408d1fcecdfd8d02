import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ list: [1, , 3] as never })
//           ^^^^^^^^ VALUE_NOT_PLAIN
export default class ValueSparseArray {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
