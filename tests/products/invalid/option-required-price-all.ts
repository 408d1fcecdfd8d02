import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredPriceAll {
  @Plan("starter", { price: {}, limits: { requests: { rate: 60, interval: "minute" } } })
//                          ^^ OPTION_REQUIRED
//                          ^^ OPTION_REQUIRED
//                          ^^ OPTION_REQUIRED
  starter!: void;
}
