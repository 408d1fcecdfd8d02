import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanRaw {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    raw: { color: "blue", badges: ["new", { text: "hot", rank: -1.5 }], hidden: null },
  })
  starter!: void;
}
