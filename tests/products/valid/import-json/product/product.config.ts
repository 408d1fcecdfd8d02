import { Plan, Product } from "@svc/product";
import prices from "./prices.json" with { type: "json" };
import { table } from "./table";
import type unused from "./nowhere.json";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { amount: prices.starter + table["growth"], currency: "usd", interval: "month" }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
