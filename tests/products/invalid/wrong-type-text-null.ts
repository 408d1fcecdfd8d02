import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", description: null })
//                                                         ^^^^ WRONG_TYPE
export default class WrongTypeTextNull {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
