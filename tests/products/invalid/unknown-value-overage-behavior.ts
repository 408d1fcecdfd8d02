import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueOverageBehavior {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    overageBehavior: "allow-and-bill",
//                   ^^^^^^^^^^^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
