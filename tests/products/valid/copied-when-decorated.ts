import { Meter, Plan, Product } from "@svc/product";
import type { MeterOptions, RateLimit } from "@svc/product";

// Options are copied in the decorator call: what happens to them later changes nothing.
const options: MeterOptions = { unit: "ms" };
const limits: Record<string, RateLimit> = { requests: { rate: 60, interval: "minute" } };

@Product({ origin: "https://api.example.com" })
class CopiedWhenDecorated {
  @Meter("compute", options)
  compute!: void;

  @Plan("starter", { limits })
  starter!: void;
}

Object.assign(options, { unit: 7, aggregation: "never" });
delete limits.requests;

export default CopiedWhenDecorated;
