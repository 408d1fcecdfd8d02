import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default abstract class Acme {
  @Plan("pro")
//^^^^^^^^^^^^ DECORATOR_MISUSE
  abstract accessor pro: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
