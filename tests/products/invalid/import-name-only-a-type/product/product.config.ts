import { Plan, Product } from "@svc/product";
import { Price } from "./prices";
//       ^^^^^ SYNTAX_ERROR
void Price;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: 1, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
