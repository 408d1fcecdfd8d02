import { Plan, Product } from "@svc/product";

namespace Shop {
  export namespace Cents {
    export let starter = 0;
  }
}
Shop.Cents.starter = 1900;
//~ 1:19 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Shop.Cents.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
