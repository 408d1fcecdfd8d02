import { Plan, Product } from "@svc/product";
import * as prices from "./prices";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: (prices as Record<string, never>).startr, limits: { requests: { rate: 60, interval: "minute" } } })
//                                                            ^^^^^^ SYNTAX_ERROR
  starter!: void;
}
