import { Feature, Meter, Meters, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens", { unit: "token", by: ["model", "kind"] })
  @Meters({ linux: { unit: "minute" }, macos: { unit: "minute", estimate: 5 } })
  usage!: void;

  @Feature("all", { plans: ["one", "two"], routes: { "POST /v1/use": { reports: ["tokens", "linux", "macos"] } } })
  all!: void;

  @Plan("one", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      tokens: { per: 1_000_000, rates: { "m-large": { input: 1_250_000, output: 10_000_000 }, "org/M.2:free": { input: 0 } } },
      linux: { micros: 6_000 },
      macos: { micros: 62_000 },
    },
    pools: { minutes: { units: 3_000, meters: { linux: 1, macos: 10 } } },
  })
  one!: void;

  @Plan("two", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [{ meter: "tokens", kind: "linear", per: 1_000, round: "up", rates: { a: { b: 5 } } }],
    pools: { tokens: { units: 0.5, meters: { tokens: 1 } } },
  })
  two!: void;
}
