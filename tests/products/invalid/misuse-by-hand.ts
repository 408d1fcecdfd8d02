import { Meter, Plan, Product } from "@svc/product";

// Nothing may be added once `@Product` has finalised the class.
@Product({ origin: "https://api.example.com" })
export default class MisuseByHand {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

//? DECORATOR_MISUSE
Meter("compute")(MisuseByHand.prototype, "late");
