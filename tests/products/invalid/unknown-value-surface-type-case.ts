import { Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueSurfaceTypeCase {
  @Surface("API")
//         ^^^^^ UNKNOWN_VALUE
  api!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
