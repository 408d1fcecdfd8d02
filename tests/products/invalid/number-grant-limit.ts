import { Capability, Plan, Product, Resource, capabilityGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberGrantLimit {
  @Resource("slots")
  slots!: void;

  @Capability("export")
  exports!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [capabilityGrant("export", { limits: { slots: 2.5 } })],
//                                                        ^^^ NUMBER_RANGE
  })
  starter!: void;
}
