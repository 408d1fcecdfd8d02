import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", description: import.meta.url })
//                                                         ^^^^^^^^^^^ IMPORT_META
export default class ImportMeta {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
