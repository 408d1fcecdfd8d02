import { Plan, Product } from "@svc/product";
import { starter } from "./data.json" with { type: "json" };
//       ^^^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: starter, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
