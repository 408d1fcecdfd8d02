import { Entitlement, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilityEntitlement {
  @Entitlement("basic", { capabilities: ["export"] })
//                                       ^^^^^^^^ UNKNOWN_CAPABILITY
  basic!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
