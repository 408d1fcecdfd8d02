import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeRate {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { rate: "100", interval: "day" } },
//                                                                         ^^^^^ WRONG_TYPE
  })
  starter!: void;
}
