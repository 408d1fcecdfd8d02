import { Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueRequests {
  @Requests({ window: "fortnight", enforcementType: "soft" })
//                    ^^^^^^^^^^^ UNKNOWN_VALUE
//                                                  ^^^^^^ UNKNOWN_VALUE
  requests!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
