import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: 1900, currency: "usd", interval: "month", ["am" + `ount`]: 190 }, limits: { requests: { rate: 60, interval: "minute" } } })
//                                                                               ^^^^^^^^^^^^^ KEY_WRITTEN_TWICE
  starter!: void;
}
