import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypePrice {
  @Plan("starter", { price: 1900, limits: { requests: { rate: 60, interval: "minute" } } })
//                          ^^^^ WRONG_TYPE
  starter!: void;
}
