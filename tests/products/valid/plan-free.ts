import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanFree {
  @Plan("free", { price: { free: true }, limits: { requests: { rate: 10, interval: "hour" } } })
  free!: void;
}
