import { Plan, Product } from "@svc/product";

@Product({ origin: ["https://api.example.com"] })
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ WRONG_TYPE
export default class WrongTypeOrigin {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
