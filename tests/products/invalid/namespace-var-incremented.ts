import { Plan, Product } from "@svc/product";

namespace Count {
  export var plans = 0;
  export const next = () => plans++;
//                          ^^^^^ SYNTAX_NOT_SUPPORTED
}
Count.next();

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Count.plans, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
