import { Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionPolicy {
  @Policy("signed-in", { kind: "auth", configs: {} })
//                                     ^^^^^^^ UNKNOWN_OPTION
  signedIn!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
