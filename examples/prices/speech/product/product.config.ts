import { Feature, Meter, Plan, Product, creditGrant } from "@svc/product";

/** 22 dollars with 100,000 characters, of which what is left is kept two more months; then 0.30 per 1,000. */
@Product({ origin: "https://api.speech.example" })
export default class Speech {
  @Meter("characters", { unit: "character" })
  characters!: void;

  @Feature("speak", { plans: ["creator"], routes: { "POST /v1/speak": { reports: "characters" } } })
  speak!: void;

  @Plan("creator", {
    price: { amount: 2_200, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { characters: { micros: 300_000, per: 1_000 } },
    // 100,000 characters at 0.30 per 1,000 are 30 dollars.
    grants: [creditGrant({ amountCents: 3_000, recurs: true, rolloverPeriods: 2, label: "100,000 characters" })],
  })
  creator!: void;
}
