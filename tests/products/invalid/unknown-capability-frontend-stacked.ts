import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ nav: [{ label: "Home", path: "/" }], pages: [{ path: "/", title: "Home" }] })
@Frontend({
  nav: [{ label: "Export", path: "/export", capability: "export" }],
//                                                      ^^^^^^^^ UNKNOWN_CAPABILITY
  pages: [{ path: "/export", title: "Export", capability: "export" }],
//                                                        ^^^^^^^^ UNKNOWN_CAPABILITY
})
export default class UnknownCapabilityFrontendStacked {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
