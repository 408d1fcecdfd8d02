import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", name: 42 })
//                                                  ^^ WRONG_TYPE
export default class WrongTypeProductName {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
