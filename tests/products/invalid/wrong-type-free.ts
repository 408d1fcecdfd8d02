import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeFree {
  @Plan("starter", { price: { free: "yes" }, limits: { requests: { rate: 60, interval: "minute" } } })
//                                  ^^^^^ WRONG_TYPE
  starter!: void;
}
