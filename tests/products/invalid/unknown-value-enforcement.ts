import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueEnforcement {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute", enforcement: "block" } } })
//                                                                                    ^^^^^^^ UNKNOWN_VALUE
  starter!: void;
}
