import { Entitlement, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionEntitlement {
  @Entitlement("basic", { featureGate: {} })
//                        ^^^^^^^^^^^ UNKNOWN_OPTION
  basic!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
