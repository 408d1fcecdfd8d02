// row 50: everything that is a number, almost
import { Plan, Product, creditGrant, topUp } from "@svc/product";

const limits = { requests: { rate: 1, interval: "minute" } };

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("a", { limits, price: { amount: -0, currency: "usd", interval: "month" } })
//                                      ^^ MONEY_NOT_AN_INTEGER
  a!: void;

  @Plan("b", { limits, price: { amount: 1e21, currency: "usd", interval: "month" } })
//                                      ^^^^ MONEY_NOT_AN_INTEGER
  b!: void;

  @Plan("c", { limits, price: { amount: Infinity, currency: "usd", interval: "month" } })
//                                      ^^^^^^^^ MONEY_NOT_AN_INTEGER
  c!: void;

  @Plan("d", { limits, price: { amount: 2 ** 53 + 1, currency: "usd", interval: "month" } })
//                                      ^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
  d!: void;

  @Plan("e", { limits, price: { amount: NaN, currency: "usd", interval: "month" } })
//                                      ^^^ MONEY_NOT_AN_INTEGER
  e!: void;

  @Plan("f", { limits, price: { amount: new Number(5), currency: "usd", interval: "month" } })
//                                      ^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
  f!: void;

  @Plan("g", { limits, price: { amount: 5n, currency: "usd", interval: "month" } })
//                                      ^^ MONEY_NOT_AN_INTEGER
  g!: void;

  @Plan("h", { limits, price: { amount: "5", currency: "usd", interval: "month" } })
//                                      ^^^ MONEY_NOT_AN_INTEGER
  h!: void;

  @Plan("i", { limits, price: { amount: 19.99, currency: "usd", interval: "month" } })
//                                      ^^^^^ MONEY_NOT_AN_INTEGER
  i!: void;

  @Plan("j", { limits, price: { amount: -1, currency: "usd", interval: "month" } })
//                                      ^^ MONEY_NOT_AN_INTEGER
  j!: void;

  @Plan("k", { limits, price: { amount: null, currency: "usd", interval: "month" } })
//                                      ^^^^ MONEY_NOT_AN_INTEGER
  k!: void;

  @Plan("l", { limits, price: { amount: { valueOf: () => 5 }, currency: "usd", interval: "month" } })
//                                      ^^^^^^^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
  l!: void;

  @Plan("m", { limits, grants: [creditGrant({ amountCents: 0.5 })] })
//                                                         ^^^ MONEY_NOT_AN_INTEGER
  m!: void;

  @Plan("n", { limits, grants: [topUp({ sku: "s", label: "l", priceCents: 1, creditCents: [5] })] })
//                                                                                        ^^^ MONEY_NOT_AN_INTEGER
  n!: void;

  @Plan("o", { limits, maxMonthlySpendCents: true })
//                                           ^^^^ MONEY_NOT_AN_INTEGER
  o!: void;
}
