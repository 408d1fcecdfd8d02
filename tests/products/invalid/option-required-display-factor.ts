import { Plan, Product, creditGrant, display } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredDisplayFactor {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, display: display.multiplier({}) })],
//                                                    ^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
