import { Entitlement, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateEntitlement {
  @Entitlement("basic")
  basic!: void;

  @Entitlement("basic")
//             ^^^^^^^ DUPLICATE_KEY
  simple!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
