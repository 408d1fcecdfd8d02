import { Plan, Product, creditGrant, svc } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberDisplayFactorTooFine {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, display: svc.display.multiplier({ factor: 0.005 }) })],
//                                                                                     ^^^^^ NUMBER_RANGE
  })
  starter!: void;
}
