import { Frontend, Plan, Product } from "@svc/product";

@Frontend({ nav: [{ label: "Home", path: "/" }] })
//~ 1:51 DECORATOR_MISUSE
@Product({ origin: "https://api.example.com" })
export default class MisuseAboveProduct {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
