import { Feature, Meter, Plan, Product, Requests, creditGrant, svc } from "@svc/product";

@Product({ name: "tokens", origin: "https://api.tokens.example", displayName: "Tokens" })
export default class Tokens {
  @Requests()
  requests!: void;

  @Meter("input_tokens", { display: "Input tokens", unit: "token", estimate: 500 })
  input!: void;

  @Meter("output_tokens", { display: "Output tokens", unit: "token", estimate: 250 })
  output!: void;

  @Feature("chat", {
    description: "Chat completions.",
    plans: ["payg", "pro"],
    routes: {
      "POST /v1/chat": {
        reports: ["input_tokens", "output_tokens"],
        estimates: { input_tokens: 2_000, output_tokens: 1_000 },
      },
      "GET /v1/models": { unmetered: true },
    },
  })
  chat!: void;

  // Pay for what is used, and see what it costs: 15 cents for a million tokens in, 60 cents for a million out.
  @Plan("payg", {
    name: "Pay as you go",
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      input_tokens: { micros: 150_000, per: 1_000_000 },
      output_tokens: { micros: 600_000, per: 1_000_000 },
    },
    spendPolicy: { disclosure: "transparent" },
    overageBehavior: "allow_and_bill",
    selfServeEnabled: true,
  })
  payg!: void;

  // A monthly fee with an allowance, shown as "5x" rather than in money.
  @Plan("pro", {
    name: "Pro",
    price: { amount: 2_000, currency: "usd", interval: "month" },
    limits: {
      requests: { rate: 300, interval: "minute" },
      output_tokens: { rate: 2_000_000, interval: "day" },
    },
    meter: {
      input_tokens: { micros: 120_000, per: 1_000_000 },
      output_tokens: { micros: 480_000, per: 1_000_000 },
    },
    grants: [creditGrant({ amountCents: 2_500, recurs: true, display: svc.display.multiplier({ factor: 5 }) })],
    spendPolicy: { disclosure: "opaque" },
    overageBehavior: "block",
    selfServeEnabled: true,
  })
  pro!: void;
}
