import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsCreditLiteral {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      { amountCents: 500 },
      { type: "credit", amountCents: 500, kind: "promo", display: { kind: "multiplier", factor: 2 } },
    ],
  })
  starter!: void;
}
