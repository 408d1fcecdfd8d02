import { Plan, Product } from "@svc/product";
import * as prices from "./prices";
const { growth, startr: starter } = prices;
//              ^^^^^^ SYNTAX_ERROR
void growth;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: starter, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
