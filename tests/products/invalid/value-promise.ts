import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValuePromise {
  @Meter("compute", { unit: Promise.resolve("ms") as never })
//                          ^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
