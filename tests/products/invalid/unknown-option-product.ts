import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", displayname: "Acme" })
//                                            ^^^^^^^^^^^ UNKNOWN_OPTION
export default class UnknownOptionProduct {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
