import { Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilityWorkflow {
  @Workflow("nightly", { capabilities: ["export"] })
//                                      ^^^^^^^^ UNKNOWN_CAPABILITY
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
