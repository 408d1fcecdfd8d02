import { Plan, Product } from "@svc/product";

@Product({ origin: "javascript:alert(1)" })
//                 ^^^^^^^^^^^^^^^^^^^^^ URL_FORM
export default class UrlScript {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
