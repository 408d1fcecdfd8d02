import { Plan, Product } from "@svc/product";
import prices from "./prices.json" with { "type": "text" };
//                                        ^^^^^^^^^^^^^^ SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: prices.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
