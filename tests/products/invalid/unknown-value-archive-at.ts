import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueArchiveAt {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    archive: { at: "renewal" },
//                 ^^^^^^^^^ UNKNOWN_VALUE
    selfServeEnabled: false,
  })
  starter!: void;
}
