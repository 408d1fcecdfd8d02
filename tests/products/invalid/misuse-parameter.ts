import { Meter, Plan, Product } from "@svc/product";

//? DECORATOR_MISUSE

@Product({ origin: "https://api.example.com" })
export default class MisuseParameter {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;

  constructor(@Meter("compute") readonly compute: number) {}
}
