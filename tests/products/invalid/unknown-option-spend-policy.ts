import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionSpendPolicy {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    spendPolicy: { disclosed: "opaque" },
//                 ^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
