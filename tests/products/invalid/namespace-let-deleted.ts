import { Plan, Product } from "@svc/product";

namespace Cents {
  export let starter: number | undefined = 1000;
}
delete Cents.starter;
//~ 1:21 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: 1900, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
