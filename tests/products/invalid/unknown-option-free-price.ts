import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionFreePrice {
  @Plan("starter", {
    price: { free: true, forever: true },
//                       ^^^^^^^ UNKNOWN_OPTION
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
