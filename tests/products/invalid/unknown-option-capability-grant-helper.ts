import { Capability, Plan, Product, capabilityGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionCapabilityGrantHelper {
  @Capability("export")
  exports!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [capabilityGrant("export", { limit: {} })],
//                                       ^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
