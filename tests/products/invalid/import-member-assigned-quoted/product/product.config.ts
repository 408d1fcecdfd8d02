import { Plan, Product } from "@svc/product";
import * as prices from "./prices";

let price: unknown;
({ "startr": price } = prices as never);
// ^^^^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: price as never, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
