import { Plan, Product } from "@svc/product";

const rate = 1;
const rates = { rate, rate: 2, ["__proto__"]: 1, ["__proto__"]: 2 };
//                    ^^^^ KEY_WRITTEN_TWICE
//                                                ^^^^^^^^^^^ KEY_WRITTEN_TWICE
void rates;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
