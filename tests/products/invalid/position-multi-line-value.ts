import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PositionMultiLineValue {
  @Meter("compute", {
    unit: [
      "ms",
    ] as never,
//~ 6:11-8:6 WRONG_TYPE
  })
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
