import { Plan, Product } from "@svc/product";

//? UNCAUGHT_EXCEPTION
const settings: any = undefined;

@Product({ origin: "https://api.example.com" })
export default class UncaughtTypeError {
  @Plan("starter", { limits: { requests: { rate: settings.rate, interval: "minute" } } })
  starter!: void;
}
