import { Plan } from "@svc/product";

@Product({ origin: "https://api.example.com" })
//~ 2:9 UNCAUGHT_EXCEPTION
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } }) starter!: void;
}
