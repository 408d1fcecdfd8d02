import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilityPlan {
  @Capability("export")
  exports!: void;

  @Plan("starter", {
    capabilities: ["export", "audit"],
//                           ^^^^^^^ UNKNOWN_CAPABILITY
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
