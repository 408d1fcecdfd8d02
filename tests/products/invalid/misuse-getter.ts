import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MisuseGetter {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  get compute() {
    return 1;
  }

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
