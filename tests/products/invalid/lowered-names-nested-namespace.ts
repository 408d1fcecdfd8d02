import { Plan, Product } from "@svc/product";

namespace Z {
  export namespace Y {
    export const cents = (Z.Y as unknown as { nope: () => number }).nope();
//                                                                  ^^^^ UNCAUGHT_EXCEPTION
  }
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: Z.Y.cents, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
