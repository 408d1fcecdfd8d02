import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionTransport {
  @Backend("main", { transport: { mode: "tunnel", modes: [] } })
//                                                ^^^^^ UNKNOWN_OPTION
  main!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
