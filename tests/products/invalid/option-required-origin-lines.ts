import { Plan, Product } from "@svc/product";

@Product({
  name: "acme",
  displayName: "Acme",
})
//~ 3:10-6:2 OPTION_REQUIRED
export default class OptionRequiredOriginLines {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
