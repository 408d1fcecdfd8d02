import { Plan, Product, Surface } from "@svc/product";

// A surface is named by its member, so one member has one.

@Product({ origin: "https://api.example.com" })
export default class DuplicateSurface {
  @Surface("api")
  @Surface("docs")
//         ^^^^^^ DUPLICATE_KEY
  api!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
