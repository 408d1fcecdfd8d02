import { Plan, Product } from "@svc/product";

const prices = { starter: { amount: 1900, currency: "usd", interval: "month" } };
prices.starter.amount = 19.5;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: prices.starter as never, limits: { requests: { rate: 60, interval: "minute" } } })
//                          ^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
  starter!: void;
}
