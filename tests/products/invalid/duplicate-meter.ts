import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateMeter {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Meter("compute", { unit: "s" })
//       ^^^^^^^^^ DUPLICATE_KEY
  seconds!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
