import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionCapability {
  @Capability("export", { includeFeatures: [] })
//                        ^^^^^^^^^^^^^^^ UNKNOWN_OPTION
  exports!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
