import { Plan, Product } from "@svc/product";

@Product({ origin: "" })
//                 ^^ URL_FORM
export default class UrlEmpty {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
