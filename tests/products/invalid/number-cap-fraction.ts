import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberCapFraction {
  @Resource("slots")
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { slots: 1.5 } })
//                                                                                          ^^^ NUMBER_RANGE
  starter!: void;
}
