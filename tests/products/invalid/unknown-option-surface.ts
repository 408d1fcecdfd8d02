import { Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionSurface {
  @Surface("docs", { titel: "Docs" })
//                   ^^^^^ UNKNOWN_OPTION
  docs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
