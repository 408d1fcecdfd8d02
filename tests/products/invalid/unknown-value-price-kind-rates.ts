import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValuePriceKindRates {
  @Meter("tokens", { unit: "token", by: ["model"] })
  tokens!: void;

  @Feature("chat", { plans: ["starter"], routes: { "POST /v1/chat": { reports: "tokens" } } })
  chat!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [{ meter: "tokens", kind: "rates", per: 1_000, rates: { large: 20 } }],
//                                    ^^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
