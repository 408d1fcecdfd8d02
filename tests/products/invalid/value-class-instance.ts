import { Meter, Plan, Product } from "@svc/product";

class Options {
  unit = "ms";
}

@Product({ origin: "https://api.example.com" })
export default class ValueClassInstance {
  @Meter("compute", new Options())
//                  ^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
