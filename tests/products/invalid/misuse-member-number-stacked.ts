import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("compute")
  @Meter("storage")
  private 1_000?: void;
//        ^^^^^ DECORATOR_MISUSE

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
