import { Meter, Plan, Product } from "@svc/product";
import type { RateLimit } from "@svc/product";

const limits: Record<string, RateLimit> = Object.create(null);
limits.requests = { rate: 60, interval: "minute" };

const meter = { __proto__: null, unit: "ms" };

@Product({ origin: "https://api.example.com" })
export default class NullPrototypeOptions {
  @Meter("compute", meter)
  compute!: void;

  @Plan("starter", { limits: Object.freeze(limits) })
  starter!: void;
}
