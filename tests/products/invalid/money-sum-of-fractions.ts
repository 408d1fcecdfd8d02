import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneySumOfFractions {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ amountCents: (0.1 + 0.2) * 100 }],
//                          ^^^^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
  })
  starter!: void;
}
