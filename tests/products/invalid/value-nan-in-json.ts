import { Plan, Policy, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ ratio: NaN })
//            ^^^ VALUE_NOT_PLAIN
export default class ValueNanInJson {
  @Policy("throttle", { kind: "rate_limit", config: { burst: [1, -0] } })
//                                                               ^^ VALUE_NOT_PLAIN
  throttle!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
