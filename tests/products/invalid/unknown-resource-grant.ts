import { Capability, Plan, Product, Resource, capabilityGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownResourceGrant {
  @Resource("slots")
  slots!: void;

  @Capability("export")
  exports!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: ["priority-support", capabilityGrant("export", { limits: { slotz: 5 } })],
//                                                                     ^^^^^ UNKNOWN_RESOURCE
  })
  starter!: void;
}
