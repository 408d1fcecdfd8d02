import { Plan, Product } from "@svc/product";
import "./.prices";
//     ^^^^^^^^^^^ IMPORT_NOT_FOUND

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
