import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ nav: [{ label: "Jobs", path: "/jobs", icons: "clock" }] })
//                                                ^^^^^ UNKNOWN_OPTION
export default class UnknownOptionNavEntry {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
