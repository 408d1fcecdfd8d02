import { Plan, Product } from "@svc/product";

import * as all from "./all";
import * as prices from "./prices";
import { prices as named, type Price } from "./named";
import { Other, starter as first } from "./all";
import * as svc from "@svc/product";

// Whole modules, members of members, and names that are only types.
const typed: Other & Price & prices.Price = { amount: named.growth.amount };
const { starter, ["growth"]: growth } = prices;
const name = "starter";
void svc.Plan;
void typeof prices[name];
void ("startr" in prices);
void Object.keys(all);
void first;
void growth;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { ...all.prices.starter, amount: starter.amount + typed.amount + all.default }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
