import { Plan, Product } from "@svc/product";

// A class without a name gives the product none.
@Product({ origin: "https://api.example.com" })
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
export default class {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
