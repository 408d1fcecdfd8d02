import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ zeros: new Array<number>(200_001).fill(0) })
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class ValueTooLarge {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
