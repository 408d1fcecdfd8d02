import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MisuseTwo {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  compute() {}

  @Meter("egress")
//^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  static egress: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
