import { Entitlement, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownResourceEntitlement {
  @Resource("slots")
  slots!: void;

  @Entitlement("basic", { limits: { "slots-max": { count: 3 } } })
//                                  ^^^^^^^^^^^ UNKNOWN_RESOURCE
  basic!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
