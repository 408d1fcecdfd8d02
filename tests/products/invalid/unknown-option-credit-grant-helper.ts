import { Plan, Product, creditGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionCreditGrantHelper {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, recur: true })],
//                                           ^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
