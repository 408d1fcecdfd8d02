import { Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueSurfaceType {
  @Surface("documentation")
//         ^^^^^^^^^^^^^^^ UNKNOWN_VALUE
  docs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
