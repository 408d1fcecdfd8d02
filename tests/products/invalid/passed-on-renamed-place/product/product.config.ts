import { Product } from "@svc/product";
import { Tarif } from "./kit";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Tarif("starter", {
    price: { amount: 19.5, currency: "usd", interval: "month" },
//                   ^^^^ MONEY_NOT_AN_INTEGER
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
