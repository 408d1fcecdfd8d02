import { Plan, Product } from "@svc/product";
import { unit } from "./kit";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @unit("m")
//^^^^^^^^^^ NUMBER_RANGE
  m!: void;
  @Plan("starter", { limits: { requests: { rate: -1, interval: "minute" } } })
//                                               ^^ NUMBER_RANGE
  starter!: void;
}
