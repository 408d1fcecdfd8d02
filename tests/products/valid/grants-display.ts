import { Plan, Product, creditGrant, display, svc } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsDisplay {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    spendPolicy: { disclosure: "opaque" },
    grants: [
      creditGrant({ amountCents: 500, display: svc.display.multiplier({ factor: 20 }) }),
      creditGrant({ amountCents: 500, display: display.multiplier({ factor: 0.01 }) }),
      creditGrant({ amountCents: 500, display: display.multiplier({ factor: 1_000_000_000 }) }),
    ],
  })
  starter!: void;
}
