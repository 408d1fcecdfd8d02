import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UncaughtReferenceError {
  @Plan("starter", { limits: { requests: { rate: RATE, interval: "minute" } } })
  starter!: void;
//? UNCAUGHT_EXCEPTION
}
