import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UncaughtInStaticBlock {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;

  static {
//? UNCAUGHT_EXCEPTION
    throw new RangeError("static blocks run while the class is defined");
  }
}
