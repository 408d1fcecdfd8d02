// row 47: in a route's costs, and as a route
import { Feature, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Feature("f", {
    plans: ["free"],
    routes: {
      "GET /a": { cost: { "1": 1 } },
//                        ^^^ INTEGER_LIKE_KEY
      "404": {},
//    ^^^^^ INTEGER_LIKE_KEY
    },
  })
  f!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
