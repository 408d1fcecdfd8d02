import { Meter, Plan, Product } from "@svc/product";

const unit = Meter("m", { estimate: -1 });

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @unit
//^^^^^ NUMBER_RANGE
  m!: void;
  @Plan("starter", { limits: { requests: { rate: -1, interval: "minute" } } })
//                                               ^^ NUMBER_RANGE
  starter!: void;
}
