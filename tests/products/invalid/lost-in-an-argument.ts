import { Meter, Plan, Product } from "@svc/product";
import * as svc from "@svc/product";

const when = (is: boolean, decorator: (target: object, key: string) => void) => (is ? decorator : () => {});

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @when(false, Meter("compute"))
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  compute!: void;

  @when(false, svc.Meter("storage"))
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  storage!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
