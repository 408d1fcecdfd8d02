import { Plan, Product } from "@svc/product";
import * as data from "./data.json" with { type: "json" };

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: data.starter, limits: { requests: { rate: 60, interval: "minute" } } })
//                                   ^^^^^^^ SYNTAX_ERROR
  starter!: void;
}
