import { Meter, Plan, Product } from "@svc/product";

// A getter could answer differently each time; it is never called.
function limits() {
  return {
    requests: { rate: 60, interval: "minute" as const },
    get compute() {
      return { rate: 100, interval: "day" as const };
    },
  };
}

@Product({ origin: "https://api.example.com" })
export default class ValueAccessor {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", { limits: limits() })
//                           ^^^^^^^^ VALUE_NOT_PLAIN
  starter!: void;
}
