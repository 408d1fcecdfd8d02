import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeLimits {
  @Plan("starter", { limits: [{ rate: 60, interval: "minute" }] })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ WRONG_TYPE
  starter!: void;
}
