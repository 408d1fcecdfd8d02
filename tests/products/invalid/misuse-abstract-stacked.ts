import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default abstract class Acme {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  @Meter("storage")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  protected abstract usage: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
