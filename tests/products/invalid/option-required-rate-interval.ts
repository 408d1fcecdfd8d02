import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredRateInterval {
  @Plan("starter", { limits: { requests: { rate: 60 } } })
//                                       ^^^^^^^^^^^^ OPTION_REQUIRED
  starter!: void;
}
