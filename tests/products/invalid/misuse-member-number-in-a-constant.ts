import { Meter, Plan, Product } from "@svc/product";

const answer = 42;
//? UNCAUGHT_EXCEPTION

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("compute")
  [answer]!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
