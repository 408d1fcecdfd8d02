import { Plan, Product, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredTopUp {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [topUp({ priceCents: 1000, creditCents: 1000 })],
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
