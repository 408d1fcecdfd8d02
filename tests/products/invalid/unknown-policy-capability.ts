import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownPolicyCapability {
  @Capability("export", { includesPolicies: ["signed-in"] })
//                                           ^^^^^^^^^^^ UNKNOWN_POLICY
  exports!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
