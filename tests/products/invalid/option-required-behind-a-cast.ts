import { Plan, Product } from "@svc/product";

@Product({ name: "acme" } as never)
//       ^^^^^^^^^^^^^^^^ OPTION_REQUIRED
export default class OptionRequiredBehindACast {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
