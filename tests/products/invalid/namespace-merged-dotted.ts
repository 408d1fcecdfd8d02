import { Plan, Product } from "@svc/product";

namespace Shop.Cents {
  export const base = 1000;
}
namespace Shop.Rates {
//        ^^^^ SYNTAX_NOT_SUPPORTED
  export const starter = Cents.base + 900;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Shop.Rates.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
