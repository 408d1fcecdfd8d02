import { Plan, Product } from "@svc/product";

@Product({ origin: "https://admin:secret@api.example.com" })
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
export default class UrlUserInfo {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
