import { Plan, Product } from "@svc/product";

namespace Trial {
  export let days: number;
  days = 14;
//^^^^ SYNTAX_NOT_SUPPORTED
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Trial.days, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
