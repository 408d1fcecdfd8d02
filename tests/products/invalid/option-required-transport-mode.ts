import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredTransportMode {
  @Backend("main", { transport: {} })
//                              ^^ OPTION_REQUIRED
  main!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
