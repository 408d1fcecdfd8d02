import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicatePlan {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;

  @Plan("starter", { limits: { requests: { rate: 600, interval: "minute" } } })
//      ^^^^^^^^^ DUPLICATE_KEY
  growth!: void;
}
