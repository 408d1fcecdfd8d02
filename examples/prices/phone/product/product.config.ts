import { Feature, Meter, Plan, Product } from "@svc/product";

/** Calls by country and kind of line, each call in started minutes: the meter counts minutes, which the switch rounds up for each call. */
@Product({ origin: "https://api.phone.example" })
export default class Phone {
  @Meter("minutes", { unit: "minute", by: ["country", "line"] })
  @Meter("numbers", { aggregation: "time_weighted", by: ["country"] })
  counted!: void;

  @Feature("calls", { plans: ["voice"], routes: { "POST /v1/calls": { reports: ["minutes", "numbers"] } } })
  calls!: void;

  @Plan("voice", {
    limits: { requests: { rate: 600, interval: "minute" } },
    maxMonthlySpendCents: 10_000,
    pools: { free: { units: 100, meters: { minutes: 1 } } },
    meter: {
      minutes: { rates: { US: { fixed: 8_500, mobile: 8_500 }, DE: { fixed: 9_900, mobile: 38_200 } } },
      numbers: { rates: { US: 1_150_000, DE: 1_500_000 } },
    },
  })
  voice!: void;
}
