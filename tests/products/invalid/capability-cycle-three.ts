import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CapabilityCycleThree {
  @Capability("a", { includesCapabilities: ["b", "leaf"] })
//                                         ^^^^^^^^^^^^^ CAPABILITY_CYCLE
  a!: void;

  @Capability("b", { includesCapabilities: ["c"] })
//                                         ^^^^^ CAPABILITY_CYCLE
  b!: void;

  @Capability("c", { includesCapabilities: ["leaf", "a"] })
//                                         ^^^^^^^^^^^^^ CAPABILITY_CYCLE
  c!: void;

  @Capability("leaf")
  leaf!: void;

  @Plan("starter", { capabilities: ["a"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
