import { Plan, Product } from "@svc/product";
import prices = require("./prices");
//~ 1:37 IMPORT_NOT_ALLOWED
void prices;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
