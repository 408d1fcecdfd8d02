import { Plan, Product } from "@svc/product";

class Prices {
  static readonly starter = 1_900;
}

const Anonymous = class {};

@Product({ origin: "https://api.example.com", description: `Beside ${Anonymous.name || "others"}` })
export default class OtherClassesBeside {
  @Plan("starter", {
    price: { amount: Prices.starter, currency: "usd", interval: "month" },
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
