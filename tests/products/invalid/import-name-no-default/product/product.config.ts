import { Plan, Product } from "@svc/product";
import prices from "./prices";
//     ^^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: prices, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
