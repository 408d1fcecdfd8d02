import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MisuseOutsideClass {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

//? DECORATOR_MISUSE
Meter("compute")({}, "nowhere");
