import { Plan, Product } from "@svc/product";
import { price as cost } from "./all";
//       ^^^^^ SYNTAX_ERROR

const price = cost;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
