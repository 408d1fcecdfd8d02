import { Plan, Product } from "@svc/product";

enum Cents {
  Base = 1000,
}
namespace Cents {
  export const a = 1;
}
namespace Cents {
//        ^^^^^ SYNTAX_NOT_SUPPORTED
  export const b = 2;
}
namespace Cents {
//        ^^^^^ SYNTAX_NOT_SUPPORTED
  export const c = a + b;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.Base, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
