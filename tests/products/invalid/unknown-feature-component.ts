import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({
  pages: [{ path: "/", title: "Home", components: [{ component: "feature_panel", props: { feature: "jobs" } }] }],
//                                                                                                 ^^^^^^ UNKNOWN_FEATURE
})
export default class UnknownFeatureComponent {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
