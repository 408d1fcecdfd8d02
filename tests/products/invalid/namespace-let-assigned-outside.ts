import { Plan, Product } from "@svc/product";

namespace Scale {
  export let factor = 1;
  export function cents(base: number) {
    return base * factor;
  }
}
Scale.factor = 3;
//~ 1:13 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Scale.cents(1000), currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
