import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilityIncluded {
  @Capability("export", { includesCapabilities: ["exprot"] })
//                                               ^^^^^^^^ UNKNOWN_CAPABILITY
  exports!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
