import { Plan, Product } from "@svc/product";

@Product({ origin: "api.example.com" })
//                 ^^^^^^^^^^^^^^^^^ URL_FORM
export default class UrlNoScheme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
