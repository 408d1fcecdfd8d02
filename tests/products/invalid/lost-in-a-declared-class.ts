import { Meter, Plan, Product } from "@svc/product";

declare class Base {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  compute: void;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
