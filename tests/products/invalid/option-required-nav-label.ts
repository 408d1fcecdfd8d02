import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ nav: [{ path: "/jobs" }] })
//                ^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
export default class OptionRequiredNavLabel {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
