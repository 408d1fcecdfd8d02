import { Capability, Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({
  nav: [{ label: "Export", path: "/export", capability: "exports" }],
//                                                      ^^^^^^^^^ UNKNOWN_CAPABILITY
  pages: [
    { path: "/", title: "Home" },
    {
      path: "/export",
      title: "Export",
      capability: "exporting",
//                ^^^^^^^^^^^ UNKNOWN_CAPABILITY
      components: [{ component: "feature_panel", capability: "expert" }],
//                                                           ^^^^^^^^ UNKNOWN_CAPABILITY
    },
  ],
})
export default class UnknownCapabilityFrontend {
  @Capability("export")
  exports!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
