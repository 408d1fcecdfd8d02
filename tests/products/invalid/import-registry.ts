import { Plan, Product, svc } from "@svc/product";
import { readRegistry } from "@svc/product/registry";
//                           ^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: readRegistry(undefined) })
export default class ImportRegistry {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
