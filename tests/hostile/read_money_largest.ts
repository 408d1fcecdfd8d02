// row 50: the last integer that is safe
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].recurringFeeCents 9007199254740991
export default class X {
  @Plan("free", {
    limits: { requests: { rate: 1, interval: "minute" } },
    price: { amount: 2 ** 53 - 1, currency: "usd", interval: "month" },
  })
  free!: void;
}
