import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ImportDynamicInSpread {
  @Plan("starter", { ...(await import("node:fs")), limits: { requests: { rate: 60, interval: "minute" } } })
//                             ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT
  starter!: void;
}
