import { Plan, Product } from "@svc/product";
import type { PlanOptions } from "@svc/product";

const starter: PlanOptions = {
  limits: { requests: { rate: 60, interval: "minute" } },
  trial: 14,
//^^^^^ UNKNOWN_OPTION
};

@Product({ origin: "https://api.example.com" })
export default class PositionConstantOptions {
  @Plan("starter", starter)
  starter!: void;
}
