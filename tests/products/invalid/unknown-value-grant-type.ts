import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueGrantType {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ type: "credits", amountCents: 500 }],
//                   ^^^^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
