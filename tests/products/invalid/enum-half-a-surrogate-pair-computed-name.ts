import { Plan, Product } from "@svc/product";

enum Odd {
  One = 1,
  ["\udfff x"] = 2,
// ^^^^^^^^^^ SYNTAX_NOT_SUPPORTED
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: 1900, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
