import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionCount {
  @Resource("slots")
  slots!: void;

  @Plan("starter", {
    limits: {
      requests: { rate: 60, interval: "minute" },
      slots: { count: 5, interval: "month" },
//                       ^^^^^^^^ UNKNOWN_OPTION
    },
  })
  starter!: void;
}
