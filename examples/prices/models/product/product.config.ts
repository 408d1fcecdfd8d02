import { Feature, Meter, Plan, Product } from "@svc/product";
import prices from "./prices.json" with { type: "json" };

/** A list of models by kind of token, kept as JSON: one meter, each model and kind a quantity of its own. */
@Product({ origin: "https://api.models.example" })
export default class Models {
  @Meter("tokens", { unit: "token", by: ["model", "kind"] })
  tokens!: void;

  @Feature("chat", { plans: ["pay_as_you_go"], routes: { "POST /v1/chat": { reports: "tokens" } } })
  chat!: void;

  @Plan("pay_as_you_go", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { tokens: { per: 1_000_000, rates: prices } },
  })
  payAsYouGo!: void;
}
