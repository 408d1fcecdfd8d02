import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  static cents = (Acme as unknown as { nope: () => number }).nope();
//                                                           ^^^^ UNCAUGHT_EXCEPTION

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
