import { Plan, Product, Surface } from "@svc/product";

// One member may stand for surfaces of several types, but for each type once.

@Product({ origin: "https://api.example.com" })
export default class DuplicateSurface {
  @Surface("api", { path: "/v1" })
  @Surface("docs")
  @Surface("api", { path: "/v2" })
//         ^^^^^ DUPLICATE_KEY
  api!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
