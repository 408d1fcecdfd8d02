import { Plan, Product } from "@svc/product";

//? UNCAUGHT_EXCEPTION
throw new Error("not today");

@Product({ origin: "https://api.example.com" })
export default class UncaughtThrow {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
