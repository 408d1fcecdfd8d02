import { Plan, Product } from "@svc/product";

@Product()
//~ 1:11 OPTION_REQUIRED
export default class OptionRequiredProductOptions {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
