import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormDimension {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, "API calls": { rate: 1, interval: "day" } },
//                                                        ^^^^^^^^^^^ KEY_FORM
  })
  starter!: void;
}
