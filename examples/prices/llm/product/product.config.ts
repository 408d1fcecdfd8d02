import { Feature, Meter, Plan, Product, creditGrant } from "@svc/product";

const models = { "l-large": { input: 3_000_000, output: 15_000_000 }, "l-mini": { input: 250_000, output: 1_250_000 } };

/** Each model's tokens: what is cached costs a tenth, what is sent in batches half. */
const rates = Object.fromEntries(Object.entries(models).map(([model, { input, output }]) => [
  model,
  { now: { input, cached: input / 10, output }, batch: { input: input / 2, cached: input / 20, output: output / 2 } },
]));

@Product({ origin: "https://api.llm.example" })
export default class Llm {
  @Meter("tokens", { unit: "token", by: ["model", "mode", "kind"] })
  @Meter("searches")
  usage!: void;

  @Feature("chat", { plans: ["api"], routes: { "POST /v1/chat": { reports: ["tokens", "searches"] } } })
  chat!: void;

  @Plan("api", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { tokens: { per: 1_000_000, rates }, searches: { micros: 10_000_000, per: 1_000 } },
    grants: [creditGrant({ kind: "promo", amountCents: 500, meters: ["tokens"] })],
  })
  api!: void;
}
