import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeGrant {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, grants: ["priority-support", 500] })
//                                                                                                        ^^^ WRONG_TYPE
  starter!: void;
}
