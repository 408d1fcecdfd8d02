import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanWithoutPrice {
  @Plan("open", { limits: { requests: { rate: 10, interval: "hour" } } })
  open!: void;
}
