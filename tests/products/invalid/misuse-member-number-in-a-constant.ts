import { Meter, Plan, Product } from "@svc/product";

const answer = 42;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("compute")
  [answer]!: void;
// ^^^^^^ DECORATOR_MISUSE

  @Meter("storage")
  [-answer]!: void;
// ^^^^^^^ DECORATOR_MISUSE

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
