import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredCreditAmount {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ kind: "promo", recurs: true }],
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
