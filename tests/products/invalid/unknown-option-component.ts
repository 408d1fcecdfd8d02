import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({
  pages: [{ path: "/", title: "Home", components: [{ component: "usage_card", "gate-mode": "upsell" }] }],
//                                                                            ^^^^^^^^^^^ UNKNOWN_OPTION
})
export default class UnknownOptionComponent {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
