import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberCountNegativeZero {
  @Resource("slots")
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" }, slots: { count: -0 } } })
//                                                                                         ^^ NUMBER_RANGE
  starter!: void;
}
