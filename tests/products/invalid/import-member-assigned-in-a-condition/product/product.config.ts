import { Plan, Product } from "@svc/product";
import * as prices from "./prices";

let price: unknown;
if (({ pro: price, startr: price } = prices as never)) price = prices.pro;
//                 ^^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: price as never, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
