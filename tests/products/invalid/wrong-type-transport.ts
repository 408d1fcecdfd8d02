import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeTransport {
  @Backend("main", { transport: "tunnel", default: "yes" })
//                              ^^^^^^^^ WRONG_TYPE
//                                                 ^^^^^ WRONG_TYPE
  main!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
