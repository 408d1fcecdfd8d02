import { Plan, Product } from "@svc/product";

const price = { amount: 1900, currency: "usd", interval: "month" } as const;

function product() {
  let price = { amount: 1, currency: "usd", interval: "month" };
  price = { ...price, amount: 19.5 };
  @Product({ origin: "https://api.example.com" })
  class Acme {
    @Plan("starter", { price: price as never, limits: { requests: { rate: 60, interval: "minute" } } })
//                            ^^^^^ MONEY_NOT_AN_INTEGER
    starter!: void;
  }
  return Acme;
}

export const other = price;
export default product();
