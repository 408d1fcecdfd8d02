import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueTransportMode {
  @Backend("main", { transport: { mode: "proxy" } })
//                                      ^^^^^^^ UNKNOWN_VALUE
  main!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
