import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: starter, limits: { requests: { rate: 60, interval: "minute" } } }) starter!: void;
//                          ^^^^^^^ UNCAUGHT_EXCEPTION
}
