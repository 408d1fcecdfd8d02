import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilityGrant {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ type: "capability", capability: "export" }],
//                                             ^^^^^^^^ UNKNOWN_CAPABILITY
  })
  starter!: void;
}
