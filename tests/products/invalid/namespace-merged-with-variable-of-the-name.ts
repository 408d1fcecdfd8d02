import { Plan, Product } from "@svc/product";

const base = 1;
namespace Cents {
  export const base = 1000;
}
namespace Cents {
//        ^^^^^ SYNTAX_NOT_SUPPORTED
  export const starter = base + 900;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.starter + base, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
