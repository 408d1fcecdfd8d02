import { Meter, Plan, Product } from "@svc/product";
import { third } from "./names";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
  @Meter("tokens")
//^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  [third]!: void;
}
