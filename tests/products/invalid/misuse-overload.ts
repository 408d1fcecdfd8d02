import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ SYNTAX_ERROR
  run(): void;
  run() {}

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
