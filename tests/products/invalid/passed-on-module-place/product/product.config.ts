import { Product } from "@svc/product";
import { svc } from "./kit";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @svc.Plan("starter", {
    price: { amount: 19.5, currency: "usd", interval: "month" },
//                   ^^^^ MONEY_NOT_AN_INTEGER
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
