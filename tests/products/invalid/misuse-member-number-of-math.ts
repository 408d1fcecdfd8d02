import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
  @Meter("bytes") bytes!: void;
  @Meter("tokens", { unit: "token" }) [Math.floor(Math.PI)]!: void;
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
}
