import { Plan, Product } from "@svc/product";

@Product({ origin: "https:///v1" })
//                 ^^^^^^^^^^^^^ URL_FORM
export default class UrlNoHost {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
