import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberCapNegative {
  @Resource("slots")
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { slots: -1 } })
//                                                                                          ^^ NUMBER_RANGE
  starter!: void;
}
