import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormLetters {
  @Feature("größe", { plans: ["starter"] })
//         ^^^^^^^ KEY_FORM
  size!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
