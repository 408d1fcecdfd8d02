import { Plan, Product } from "@svc/product";

const cents = (dollars: number) => dollars * 100;

@Product({ origin: "https://api.example.com" })
export default class PositionComputedValue {
  @Plan("starter", {
    price: { amount: cents(19.999), currency: "usd", interval: "month" },
//                   ^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
