// row 34: the order of modules that await is that of their imports
import { Plan, Product } from "@svc/product";

import "./lib/slow";
import "./lib/quick";
import { told } from "./lib/told";
//= ok product.displayName "slow begins,quick begins,quick ends,slow ends"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
