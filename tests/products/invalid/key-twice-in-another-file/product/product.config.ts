import { Plan, Product } from "@svc/product";
//? KEY_WRITTEN_TWICE
import { price } from "./prices.js";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
