import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Planz("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
// ^^^^^ UNCAUGHT_EXCEPTION
  starter!: void;
}
