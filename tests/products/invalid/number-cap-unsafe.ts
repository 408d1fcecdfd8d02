import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberCapUnsafe {
  @Resource("slots")
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { slots: Number.MAX_VALUE } })
//                                                                                          ^^^^^^^^^^^^^^^^ NUMBER_RANGE
  starter!: void;
}
