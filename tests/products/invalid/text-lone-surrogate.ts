import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", displayName: "Acme \uD83D" })
//                                                         ^^^^^^^^^^^^^ TEXT_FORM
export default class TextLoneSurrogate {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
