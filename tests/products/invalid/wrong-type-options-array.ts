import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend([{ label: "Jobs", path: "/jobs" }])
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ WRONG_TYPE
export default class WrongTypeOptionsArray {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
