import { Plan, Product } from "@svc/product";
import * as svc from "@svc/product";
void svc.topUp;
void svc.svc;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: svc.priceOf, limits: { requests: { rate: 60, interval: "minute" } } })
//                              ^^^^^^^ SYNTAX_ERROR
  starter!: void;
}
