import { Plan, Product } from "@svc/product";

Array.prototype.map = (() => 1) as never;
//              ^^^ UNCAUGHT_EXCEPTION

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
