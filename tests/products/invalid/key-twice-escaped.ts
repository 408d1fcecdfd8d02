import { Plan, Product } from "@svc/product";

const rates = { amount: 1, "\u0061mount": 2 };
//                         ^^^^^^^^^^^^^ KEY_WRITTEN_TWICE
void rates;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
