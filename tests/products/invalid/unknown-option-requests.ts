import { Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionRequests {
  @Requests({ routeDefault: 2 })
//            ^^^^^^^^^^^^ UNKNOWN_OPTION
  requests!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
