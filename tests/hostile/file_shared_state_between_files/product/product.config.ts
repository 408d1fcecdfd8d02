// row 74: a module's variable changed by another module is no host state
import { Plan, Product } from "@svc/product";

import { count, raise } from "./lib/state";
import { again } from "./lib/again";
raise();
again();
//= ok product.displayName "2"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(count) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
