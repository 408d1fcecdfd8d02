import { Plan, Product } from "@svc/product";
import * as svc from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default abstract class Acme {
  @svc.Meter("compute")
//^^^^^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  abstract compute: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
