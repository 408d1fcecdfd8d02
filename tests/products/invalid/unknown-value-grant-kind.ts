import { Plan, Product, creditGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueGrantKind {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, kind: "bonus" as never })],
//                                                 ^^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
