import { Meter, Plan, Product } from "@svc/product";

Meter("compute", { unit: "ms" });
//~ 1:33 DECORATOR_NOT_APPLIED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  static {
    Meter("storage");
//  ^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  }

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
