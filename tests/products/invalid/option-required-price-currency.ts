import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredPriceCurrency {
  @Plan("starter", {
    price: { amount: 1900, interval: "month" },
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
