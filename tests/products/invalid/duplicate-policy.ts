import { Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicatePolicy {
  @Policy("signed-in", { kind: "auth" })
  signedIn!: void;

  @Policy("signed-in", { kind: "custom" })
//        ^^^^^^^^^^^ DUPLICATE_KEY
  loggedIn!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
