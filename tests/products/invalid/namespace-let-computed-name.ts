import { Plan, Product } from "@svc/product";

namespace Cents {
  export let starter = 0;
}
const name = ["star", "ter"].join("");
Cents[name as "starter"] = 1900;
//~ 1:25 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
