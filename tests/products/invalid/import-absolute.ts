import { Plan, Product } from "@svc/product";
import passwords from "/etc/passwd";
//                    ^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: passwords })
export default class ImportAbsolute {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
