import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MisuseStatic {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  static compute: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
