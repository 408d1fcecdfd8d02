import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeEnum {
  @Meter("compute", { aggregation: 0 })
//                                 ^ WRONG_TYPE
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
