import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateMeterStacked {
  @Meter("compute", { unit: "ms" })
  @Meter("compute")
//       ^^^^^^^^^ DUPLICATE_KEY
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
