import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UsageInterval {
  @Plan("monthly", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "month", usageInterval: "month" } as never,
//                                                                             ^^^^^^^ USAGE_INTERVAL
  })
  monthly!: void;

  @Plan("yearly", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "year", usageInterval: "year" } as never,
//                                                                            ^^^^^^ USAGE_INTERVAL
  })
  yearly!: void;

  @Plan("never", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "year", billed: "later" } as never,
//                                                                     ^^^^^^^ UNKNOWN_VALUE
  })
  never!: void;

  @Plan("free", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { free: true, billed: "advance" } as never,
//                       ^^^^^^ FREE_WITH_AMOUNT
  })
  free!: void;
}
