import { Plan, Product, creditGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberExpiresAfterZeroDays {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, expiresAfterDays: 0 })],
//                                                             ^ NUMBER_RANGE
  })
  starter!: void;
}
