import { Plan, Product } from "@svc/product";
import defer * as prices from "./prices";
//~ 1:42 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
