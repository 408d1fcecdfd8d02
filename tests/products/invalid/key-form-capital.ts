import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormCapital {
  @Meter("Compute")
//       ^^^^^^^^^ KEY_FORM
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
