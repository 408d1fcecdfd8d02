import { Feature, Meter, Plan, Product, percent } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneyNotAnIntegerPercent {
  @Meter("volume", { unit: "cent" })
  @Meter("minutes", { unit: "minute", by: ["resolution"] })
  usage!: void;

  @Feature("pay", { plans: ["starter"], routes: { "POST /v1/payments": { reports: ["volume", "minutes"] } } })
  pay!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      volume: { micros: percent("2.9%") },
//                      ^^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
      minutes: { rates: { "720p": [{ upTo: null, micros: 800 }] } },
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
    },
  })
  starter!: void;
}
