import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateInfinity {
  @Meter("compute", { estimate: Infinity })
//                              ^^^^^^^^ NUMBER_RANGE
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
