import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class TextNotComposedCap {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { "cafe\u0301s": 5 } })
//                                                                                   ^^^^^^^^^^^^^ TEXT_FORM
  starter!: void;
}
