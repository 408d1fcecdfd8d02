import { Plan, Product } from "@svc/product";

//? UNCAUGHT_EXCEPTION
await Promise.reject(new Error("not today"));

@Product({ origin: "https://api.example.com" })
export default class UncaughtRejection {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
