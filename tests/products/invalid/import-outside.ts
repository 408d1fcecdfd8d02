import { Plan, Product } from "@svc/product";
import manifest from "../package.json" with { type: "json" };
//                   ^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: manifest.homepage })
export default class ImportOutside {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
