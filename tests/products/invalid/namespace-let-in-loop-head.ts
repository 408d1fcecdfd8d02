import { Plan, Product } from "@svc/product";

namespace Cents {
  export let last = 0;
}
for (Cents.last of [100, 1900]);
//   ^^^^^^^^^^ SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.last, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
