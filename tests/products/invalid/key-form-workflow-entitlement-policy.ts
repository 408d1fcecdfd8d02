import { Entitlement, Plan, Policy, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormWorkflowEntitlementPolicy {
  @Workflow("_nightly")
//          ^^^^^^^^^^ KEY_FORM
  nightly!: void;

  @Entitlement("-basic")
//             ^^^^^^^^ KEY_FORM
  basic!: void;

  @Policy("signed/in", { kind: "auth" })
//        ^^^^^^^^^^^ KEY_FORM
  signedIn!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
