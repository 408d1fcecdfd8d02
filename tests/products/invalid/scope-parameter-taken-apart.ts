import { Plan, Product } from "@svc/product";

const price = { amount: 1900, currency: "usd", interval: "month" } as const;

function product({ price }: { price: never }) {
  @Product({ origin: "https://api.example.com" })
  class Acme {
    @Plan("starter", { price, limits: { requests: { rate: 60, interval: "minute" } } })
//                     ^^^^^ MONEY_NOT_AN_INTEGER
    starter!: void;
  }
  return Acme;
}

export const other = price;
export default product({ price: { amount: 19.5, currency: "usd", interval: "month" } as never });
