import { Plan, Product } from "@svc/product";
import "fs";
//     ^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: "https://api.example.com" })
export default class ImportBare {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
