import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CapsAndCount {
  @Resource("slots")
  slots!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, slots: { count: 5 } },
//                                                        ^^^^^ CAP_AND_COUNT
    caps: { slots: 5 },
  })
  starter!: void;
}
