import { Plan, Product } from "@svc/product";
import { startr } from "./prices";
//       ^^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: startr, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
