import { Plan, Product } from "@svc/product";
//? KEY_WRITTEN_TWICE
//? KEY_WRITTEN_TWICE
import prices from "./prices.json" with { type: "json" };

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: prices.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
