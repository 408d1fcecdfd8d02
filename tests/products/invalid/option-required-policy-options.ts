import { Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredPolicyOptions {
  @Policy("signed-in")
//^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  signedIn!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
