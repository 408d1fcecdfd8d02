import { Plan, Product } from "@svc/product";
import prices from "./prices.json" with { type: "json" };
//                 ^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND

@Product({ origin: "https://api.example.com" })
export default class ImportNotFoundJson {
  @Plan("starter", { limits: { requests: { rate: prices.rate, interval: "minute" } } })
  starter!: void;
}
