import { Meter, Plan, Product } from "@svc/product";

const yes = true;
const none = () => {};

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @(yes ? Meter("m", { estimate: -1 }) : none)
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NUMBER_RANGE
  m!: void;
  @Plan("starter", { limits: { requests: { rate: -1, interval: "minute" } } })
//                                               ^^ NUMBER_RANGE
  starter!: void;
}
