import { Plan, Product } from "@svc/product";
import { join } from "node:path";
//                   ^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import { rate } from "./prices.ts";
//                   ^^^^^^^^^^^^^ IMPORT_NOT_FOUND

const home = join(import.meta.url, "..");
//                ^^^^^^^^^^^ IMPORT_META
const more = import(home);
//           ^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ origin: "https://api.example.com", description: String(more) })
export default class ImportsTogether {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
