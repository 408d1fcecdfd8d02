import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ pages: [{ path: "/", title: "Home" }, { title: "Jobs" }] })
//                                                ^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
export default class OptionRequiredPagePath {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
