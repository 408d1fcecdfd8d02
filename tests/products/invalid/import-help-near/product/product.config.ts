import { Plan, Product } from "@svc/product";
import "./price";
//     ^^^^^^^^^ IMPORT_NOT_FOUND
import "./lib/Rate.js";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
