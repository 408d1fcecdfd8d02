import { Plan, Product } from "@svc/product";
import { rate } from "./prices";
//                   ^^^^^^^^^^ IMPORT_NOT_FOUND

@Product({ origin: "https://api.example.com" })
export default class ImportNotFound {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
