import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueDisclosure {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    spendPolicy: { disclosure: "hidden" },
//                             ^^^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
