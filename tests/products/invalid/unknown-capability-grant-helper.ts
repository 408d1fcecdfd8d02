import { Plan, Product, capabilityGrant } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilityGrantHelper {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [capabilityGrant("export")],
//                           ^^^^^^^^ UNKNOWN_CAPABILITY
  })
  starter!: void;
}
