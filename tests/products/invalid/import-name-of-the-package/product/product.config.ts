import { Plan, Product } from "@svc/product";
import { plan } from "@svc/product";
//       ^^^^ SYNTAX_ERROR
void plan;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: 1, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
