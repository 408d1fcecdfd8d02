import { Frontend, Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend()
//~ 1:12 OPTION_REQUIRED
@Raw()
//~ 1:7 OPTION_REQUIRED
export default class OptionRequiredFrontendAndRaw {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
