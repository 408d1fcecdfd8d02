import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberRouteDefault {
  @Meter("compute", { routeDefault: -Infinity })
//                                  ^^^^^^^^^ NUMBER_RANGE
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
