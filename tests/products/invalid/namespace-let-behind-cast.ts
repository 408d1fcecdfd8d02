import { Plan, Product } from "@svc/product";

namespace Cents {
  export const starter = 1000;
  export const cents = () => starter;
}
(Cents as { starter: number }).starter = 1900;
//~ 1:39 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.cents(), currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
