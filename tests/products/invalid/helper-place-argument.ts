import { Meter, Plan, Product } from "@svc/product";

const wrap = <D,>(decorator: D): D => decorator;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @wrap(Meter("m", { estimate: -1 }))
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NUMBER_RANGE
  m!: void;
  @Plan("starter", { limits: { requests: { rate: -1, interval: "minute" } } })
//                                               ^^ NUMBER_RANGE
  starter!: void;
}
