import { Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeTrigger {
  @Workflow("nightly", { trigger: 24 })
//                                ^^ WRONG_TYPE
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
