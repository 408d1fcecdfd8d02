import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CapabilityCycleSelf {
  @Capability("export", { includesCapabilities: ["export"] })
//                                              ^^^^^^^^^^ CAPABILITY_CYCLE
  exports!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
