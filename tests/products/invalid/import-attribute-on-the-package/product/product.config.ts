import { Plan, Product } from "@svc/product";
import * as svc from "@svc/product" with { type: "json" };
//                                         ^^^^^^^^^^^^ SYNTAX_NOT_SUPPORTED
import prices from "./prices";
void svc;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: prices.starter, currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
