import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeSpendPolicy {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, spendPolicy: "opaque" })
//                                                                                        ^^^^^^^^ WRONG_TYPE
  starter!: void;
}
