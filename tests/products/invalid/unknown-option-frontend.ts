import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ navs: [] })
//          ^^^^ UNKNOWN_OPTION
export default class UnknownOptionFrontend {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
