import { Capability, Plan, Product, Resource, capabilityGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsCapability {
  @Resource("slots")
  slots!: void;

  @Capability("export", { title: "Export" })
  exports!: void;

  @Capability("import")
  imports!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [capabilityGrant("export", { limits: { slots: 50 } }), capabilityGrant("import")],
  })
  starter!: void;
}
