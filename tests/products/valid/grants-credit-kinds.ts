import { Plan, Product, creditGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsCreditKinds {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      creditGrant({ amountCents: 500 }),
      creditGrant({ amountCents: 500, kind: "included", recurs: true, label: "Monthly credit" }),
      creditGrant({ amountCents: 1_000, kind: "promo", expiresAfterDays: 30 }),
      creditGrant({ amountCents: 2_000, kind: "referral", expiresAfterDays: 36_500, recurs: false }),
      creditGrant({ amountCents: 0, kind: "prepaid" }),
    ],
  })
  starter!: void;
}
