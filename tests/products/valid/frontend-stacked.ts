import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ nav: [{ label: "Home", path: "/" }], pages: [{ path: "/", title: "Home" }] })
@Frontend({ nav: [{ label: "Help", path: "/help" }] })
@Frontend({ pages: [{ path: "/help", title: "Help", requiresAuth: false }] })
@Frontend({})
export default class FrontendStacked {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
