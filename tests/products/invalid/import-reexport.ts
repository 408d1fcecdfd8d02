import { Plan, Product } from "@svc/product";

export * from "node:path";
//            ^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: "https://api.example.com" })
export default class ImportReexport {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
