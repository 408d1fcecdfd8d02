import { Plan, Product, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneyTopUp {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      topUp({
        sku: "pack",
        label: "Pack",
        priceCents: 9.5,
//                  ^^^ MONEY_NOT_AN_INTEGER
        creditCents: "1000" as never,
//                   ^^^^^^ MONEY_NOT_AN_INTEGER
      }),
    ],
  })
  starter!: void;
}
