import { Plan, Product } from "@svc/product";

@Product({ name: "acme" })
//       ^^^^^^^^^^^^^^^^ OPTION_REQUIRED
export default class OptionRequiredOrigin {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
