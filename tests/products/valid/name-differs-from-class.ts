import { Plan, Product } from "@svc/product";

@Product({ name: "croncloud", origin: "https://api.example.com" })
export default class ScheduledJobs {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
