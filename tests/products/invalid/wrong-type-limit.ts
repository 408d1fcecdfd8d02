import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeLimit {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" }, compute: 100 } })
//                                                                                  ^^^ WRONG_TYPE
  starter!: void;
}
