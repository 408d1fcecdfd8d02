import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ pages: [{ path: "/", title: "Home", components: [{ props: { wide: true } }] }] })
//                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
export default class OptionRequiredComponent {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
