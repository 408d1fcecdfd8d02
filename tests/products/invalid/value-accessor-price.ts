import { Plan, Product } from "@svc/product";

function price() {
  return {
    get amount() {
      return 1900;
    },
    currency: "usd" as const,
    interval: "month" as const,
  };
}

@Product({ origin: "https://api.example.com" })
export default class ValueAccessorPrice {
  @Plan("starter", { price: price(), limits: { requests: { rate: 60, interval: "minute" } } })
//                          ^^^^^^^ MONEY_NOT_AN_INTEGER
  starter!: void;
}
