import { Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValuePolicyKind {
  @Policy("throttle", { kind: "rate-limit" })
//                            ^^^^^^^^^^^^ UNKNOWN_VALUE
  throttle!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
