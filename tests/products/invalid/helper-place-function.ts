import { Meter, Plan, Product } from "@svc/product";

function unit(key: string) {
  return Meter(key, { estimate: -1 });
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @unit("m")
//^^^^^^^^^^ NUMBER_RANGE
  m!: void;
  @Plan("starter", { limits: { requests: { rate: -1, interval: "minute" } } })
//                                               ^^ NUMBER_RANGE
  starter!: void;
}
