import { Plan, Product, creditGrant, svc } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionDisplay {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, display: svc.display.multiplier({ factor: 20, factors: 20 }) })],
//                                                                                         ^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
