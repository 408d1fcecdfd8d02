import { Plan, Product } from "@svc/product";

import table from "./table.json" with { type: "json" };

// Equal names are no equal keys where they belong to different objects, or to a getter and its setter.
const key = ["amount"].join();
const base = { amount: 1, currency: "usd", interval: "month" } as const;
const tools = {
  get rate() {
    return 60;
  },
  set rate(_rate) {},
  __proto__: { rate: 1 },
  ["__proto__"]: 2,
  inner: { rate: 1 },
  list: [{ rate: 1 }, { rate: 2 }],
  1: "a",
  "1.0": "b",
  A: 1,
  a: 2,
};
const { rate, rate: again } = tools;
void again;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { price: { ...base, [key]: table[0]!.a + table[1]!.a, amount: 1900 }, limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
