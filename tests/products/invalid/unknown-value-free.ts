import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueFree {
  @Plan("starter", { price: { free: false }, limits: { requests: { rate: 60, interval: "minute" } } })
//                                  ^^^^^ UNKNOWN_VALUE
  starter!: void;
}
