import { Plan, Product } from "@svc/product";

//? PRODUCT_TWICE
@Product({ origin: "https://eu.example.com", name: "eu" })
export class Europe {
  @Plan("basic", { limits: { requests: { rate: 6, interval: "minute" } } })
  basic!: void;

  @Plan("better", { limits: { requests: { rate: 60, interval: "minute" } } })
  better!: void;
}

@Product({ origin: "https://us.example.com", name: "us" })
export default class America {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
