import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeMeter {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { 0: { micros: 20 } },
//           ^ INTEGER_LIKE_KEY
  })
  starter!: void;
}
