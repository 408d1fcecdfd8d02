import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ pages: [{ path: "/", title: "Home", components: [{ component: "usage_card", props: "compute" }] }] })
//                                                                                             ^^^^^^^^^ WRONG_TYPE
export default class WrongTypeProps {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
