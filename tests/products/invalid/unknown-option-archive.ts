import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionArchive {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    archive: { on: "publish" },
//             ^^ UNKNOWN_OPTION
    selfServeEnabled: false,
  })
  starter!: void;
}
