import { Plan, Product } from "@svc/product";

const base = { rate: 1 };
const rates = { amount: 1, ...base, amount: 2 };
//                                  ^^^^^^ KEY_WRITTEN_TWICE
void rates;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
