import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionRateLimit {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute", enforcment: "track" } } })
//                                                                       ^^^^^^^^^^ UNKNOWN_OPTION
  starter!: void;
}
