import { Plan, Product } from "@svc/product";

namespace Z {
  export const cents = (Z as unknown as { nope: () => number }).nope();
//                                                              ^^^^ UNCAUGHT_EXCEPTION
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: Z.cents, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
