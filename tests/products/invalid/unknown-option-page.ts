import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ pages: [{ path: "/jobs", title: "Jobs", requireAuth: true }] })
//                                                  ^^^^^^^^^^^ UNKNOWN_OPTION
export default class UnknownOptionPage {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
