import { Meter as M, Plan as P, Product as Define } from "@svc/product";

@Define({ origin: "https://api.example.com" })
export default class PositionAlias {
  @M("compute", { agregation: "max" })
//                ^^^^^^^^^^ UNKNOWN_OPTION
  compute!: void;

  @P("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
