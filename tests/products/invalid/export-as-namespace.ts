import { Plan, Product } from "@svc/product";
export as namespace Shop;
//~ 1:26 SYNTAX_NOT_SUPPORTED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
