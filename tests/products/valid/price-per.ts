import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PricePer {
  @Meter("tokens")
  tokens!: void;

  @Feature("chat", { plans: ["starter"], routes: { "POST /v1/chat": { reports: ["tokens"] } } })
  chat!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { tokens: { micros: 150_000, per: 1_000_000, includedUnits: 0 } },
  })
  starter!: void;
}
