import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValueAccessorWritten {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: {
      requests: { rate: 60, interval: "minute" },
//? VALUE_NOT_PLAIN
      get compute() {
        return { rate: 100, interval: "day" as const };
      },
    },
  })
  starter!: void;
}
