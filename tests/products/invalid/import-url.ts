import { Plan, Product } from "@svc/product";
import { rate } from "https://example.com/rates.ts";
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: "https://api.example.com" })
export default class ImportUrl {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
