import { Plan, Product } from "@svc/product";

namespace Cents {
  export let starter = 0, growth = 0;
}
[Cents.starter, Cents.growth] = [1900, 4900];
//~ 2:15 SYNTAX_NOT_SUPPORTED
//              ^^^^^^^^^^^^ SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
