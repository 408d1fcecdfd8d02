import { Plan, Product } from "@svc/product";

const limits = {
  requests: { rate: 60, interval: "minute" },
  computee: { rate: 1000, interval: "day" },
//^^^^^^^^ UNKNOWN_METER
} as const;

@Product({ origin: "https://api.example.com" })
export default class PositionConstant {
  @Plan("starter", { limits })
  starter!: void;
}
