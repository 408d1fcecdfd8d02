import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownResourceCount {
  @Resource("slots")
  slots!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, seats: { count: 5 } },
//                                                        ^^^^^ UNKNOWN_RESOURCE
  })
  starter!: void;
}
