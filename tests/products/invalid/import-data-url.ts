import { Plan, Product } from "@svc/product";
import rate from "data:text/javascript,export default 60";
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: "https://api.example.com" })
export default class ImportDataUrl {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
