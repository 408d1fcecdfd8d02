import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RawOverTypedPlan {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    raw: { color: "blue", recurringFeeCents: 0 },
//                        ^^^^^^^^^^^^^^^^^ RAW_OVER_TYPED
  })
  starter!: void;
}
