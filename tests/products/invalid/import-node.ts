import { Plan, Product } from "@svc/product";
import { readFileSync } from "node:fs";
//                           ^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: readFileSync("/etc/hostname", "utf8") })
export default class ImportNode {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
