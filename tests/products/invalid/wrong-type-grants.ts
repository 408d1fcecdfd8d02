import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeGrants {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, grants: "priority-support" })
//                                                                                   ^^^^^^^^^^^^^^^^^^ WRONG_TYPE
  starter!: void;
}
