import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValueMap {
  @Plan("starter", { limits: new Map([["requests", { rate: 60, interval: "minute" }]]) as never })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  starter!: void;
}
