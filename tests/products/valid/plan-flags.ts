import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanFlags {
  @Plan("old", {
    limits: { requests: { rate: 60, interval: "minute" } },
    legacy: true,
    selfServeEnabled: false,
  })
  old!: void;
}
