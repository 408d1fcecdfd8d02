import { Plan, Product } from "@svc/product";
import * as all from "./all";

const { price } = all as never;
//      ^^^^^ SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
