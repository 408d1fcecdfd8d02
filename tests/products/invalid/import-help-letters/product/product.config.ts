import { Plan, Product } from "@svc/product";
import "./Prices";
//     ^^^^^^^^^^ IMPORT_NOT_FOUND
import "./PRICES.ts";
//     ^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./lib/rates";
//     ^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./Lib";
//     ^^^^^^^ IMPORT_NOT_FOUND

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
