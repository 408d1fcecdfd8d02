// row 17: a float never becomes money
import { Plan, Product } from "@svc/product";

const limits = { requests: { rate: 1, interval: "minute" } };

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("sum", { limits, price: { amount: 0.1 + 0.2, currency: "usd", interval: "month" } })
//                                        ^^^^^^^^^ MONEY_NOT_AN_INTEGER
  sum!: void;

  @Plan("sine", { limits, price: { amount: Math.sin(1e22), currency: "usd", interval: "month" } })
//                                         ^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
  sine!: void;

  @Plan("root", { limits, price: { amount: 2 ** 0.5, currency: "usd", interval: "month" } })
//                                         ^^^^^^^^ MONEY_NOT_AN_INTEGER
  root!: void;
}
