import { Meter, Plan, Product } from "@svc/product";

const trial: number | undefined = undefined;

@Product({ origin: "https://api.example.com" })
export default class UndefinedOptionsAreAbsent {
  @Meter("compute", undefined)
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, trialDays: trial, price: undefined })
  starter!: void;
}
