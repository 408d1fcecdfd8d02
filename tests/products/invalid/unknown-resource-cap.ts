import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownResourceCap {
  @Resource("slots")
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { slot: 5 } })
//                                                                                   ^^^^ UNKNOWN_RESOURCE
  starter!: void;
}
