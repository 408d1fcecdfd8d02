import { Plan, Product, creditGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredCreditAmountHelper {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ kind: "promo" })],
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
