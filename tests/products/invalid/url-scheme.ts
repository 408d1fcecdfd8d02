import { Plan, Product } from "@svc/product";

@Product({ origin: "ftp://api.example.com" })
//                 ^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
export default class UrlScheme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
