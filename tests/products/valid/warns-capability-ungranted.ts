import { Capability, Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsCapabilityUngranted {
  @Feature("jobs", { routes: { "POST /v1/jobs": {} } })
//         ^^^^^^ FEATURE_UNGRANTED
  jobs!: void;

  @Capability("export", { includesFeatures: ["jobs"], includesCapabilities: ["import"] })
//            ^^^^^^^^ CAPABILITY_UNGRANTED
  exports!: void;

  @Capability("import")
//            ^^^^^^^^ CAPABILITY_UNGRANTED
  imports!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
