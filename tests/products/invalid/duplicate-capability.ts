import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateCapability {
  @Capability("export")
  exports!: void;

  @Capability("export")
//            ^^^^^^^^ DUPLICATE_KEY
  downloads!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
