import { Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilitySurface {
  @Surface("docs", { capability: "docs" })
//                               ^^^^^^ UNKNOWN_CAPABILITY
  docs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
