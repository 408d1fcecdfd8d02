import { Plan, Product } from "@svc/product";
import * as all from "./all";
import { prices as named } from "./named";
void all.default;
void all.starter;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: all.prices.startr, trialDays: named.gowth, limits: { requests: { rate: 60, interval: "minute" } } })
//                                     ^^^^^^ SYNTAX_ERROR
//                                                              ^^^^^ SYNTAX_ERROR
  starter!: void;
}
