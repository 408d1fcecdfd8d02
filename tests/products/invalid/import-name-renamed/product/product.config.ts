import { Plan, Product } from "@svc/product";
import { startr as starter } from "./prices";
//       ^^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: starter, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
