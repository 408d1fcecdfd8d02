import { Plan, Product } from "@svc/product";

namespace Cents {
  export let starter = 1000;
//           ^^^^^^^ SYNTAX_NOT_SUPPORTED
  export const cents = () => starter;
}
Object.assign(Cents, { starter: 1900 });

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: Cents.cents(), currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
