import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeCaps {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { 5: 10 } })
//                                                                                   ^ INTEGER_LIKE_KEY
  starter!: void;
}
