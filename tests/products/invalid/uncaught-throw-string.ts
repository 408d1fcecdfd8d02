import { Plan, Product } from "@svc/product";

//? UNCAUGHT_EXCEPTION
throw "not today";

@Product({ origin: "https://api.example.com" })
export default class UncaughtThrowString {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
