import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionCreditGrant {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ amountCents: 500, expireAfterDays: 30 }],
//                               ^^^^^^^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
