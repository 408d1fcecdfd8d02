import { Plan, Product } from "@svc/product";
import * as prices from "./prices";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: prices.Price, limits: { requests: { rate: 60, interval: "minute" } } })
//                                 ^^^^^ SYNTAX_ERROR
  starter!: void;
}
