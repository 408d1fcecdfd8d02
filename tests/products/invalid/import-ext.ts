import { Plan, Product } from "@svc/product";
import * as core from "ext:core/mod.js";
//                    ^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: String(core) })
export default class ImportExt {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
