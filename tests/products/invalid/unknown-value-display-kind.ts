import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueDisplayKind {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ amountCents: 500, display: { kind: "fraction", factor: 20 } }],
//                                                ^^^^^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
