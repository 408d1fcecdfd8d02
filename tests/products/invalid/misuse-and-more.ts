import { Meter, Plan, Product } from "@svc/product";

// A misplaced decorator takes nothing from the positions of all else.

@Product({ origin: "https://api.example.com" })
export default class MisuseAndMore {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  compute() {}

  @Meter("egress", { units: "byte" })
//                   ^^^^^ UNKNOWN_OPTION
  egress!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
