import { Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeSurfaceType {
  @Surface({ type: "docs" })
//         ^^^^^^^^^^^^^^^^ WRONG_TYPE
  docs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
