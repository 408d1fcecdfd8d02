import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" }, { name: "acme" })
//~ 1:66 UNKNOWN_OPTION
export default class TooManyArgumentsProduct {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
