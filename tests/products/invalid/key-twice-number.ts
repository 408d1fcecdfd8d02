import { Plan, Product } from "@svc/product";

const rates = { 16: 1, 0x10: 2, "16": 3, [1_6]: 4 };
//                     ^^^^ KEY_WRITTEN_TWICE
//                              ^^^^ KEY_WRITTEN_TWICE
//                                        ^^^ KEY_WRITTEN_TWICE
void rates;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
