import { Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateNanRequests {
  @Requests({ estimate: 0 / 0 })
//                      ^^^^^ ESTIMATE_NOT_A_NUMBER
  requests!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
