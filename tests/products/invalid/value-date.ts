import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ since: new Date(0) })
//            ^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class ValueDate {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
