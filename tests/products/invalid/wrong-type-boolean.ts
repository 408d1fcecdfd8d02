import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", billOn4xx: "yes" })
//                                                       ^^^^^ WRONG_TYPE
export default class WrongTypeBoolean {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
