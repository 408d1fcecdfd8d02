import { Plan, Product } from "@svc/product";

const prices = await import("./prices.ts");
//                   ^^^^^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ origin: "https://api.example.com" })
export default class ImportDynamic {
  @Plan("starter", { limits: { requests: { rate: prices.rate, interval: "minute" } } })
  starter!: void;
}
