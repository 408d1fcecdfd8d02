import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeBooleanNumber {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    legacy: 0,
//          ^ WRONG_TYPE
    selfServeEnabled: 1,
//                    ^ WRONG_TYPE
  })
  starter!: void;
}
