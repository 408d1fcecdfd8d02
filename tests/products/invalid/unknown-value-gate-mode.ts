import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({
  pages: [{ path: "/", title: "Home", components: [{ component: "usage_card", gateMode: "blur" }] }],
//                                                                                      ^^^^^^ UNKNOWN_VALUE
})
export default class UnknownValueGateMode {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
