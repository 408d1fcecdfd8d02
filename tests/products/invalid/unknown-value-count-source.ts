import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueCountSource {
  @Resource("slots", { countSource: "reported" })
//                                  ^^^^^^^^^^ UNKNOWN_VALUE
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
