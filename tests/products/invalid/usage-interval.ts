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

  @Plan("intro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "month", intro: { amount: 1_900, periods: 3 } },
//                                                                               ^^^^^ INTRO_FEE
  })
  intro!: void;

  @Plan("never_ending", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "month", intro: { amount: 100, periods: 1_201 } },
//                                                                                             ^^^^^ NUMBER_RANGE
  })
  never_ending!: void;

  @Plan("half", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "month", intro: { amount: 100, period: 1 } as never },
//                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
//                                                                                    ^^^^^^ UNKNOWN_OPTION
  })
  half!: void;

  @Plan("free_intro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { free: true, intro: { amount: 0, periods: 1 } } as never,
//                       ^^^^^ FREE_WITH_AMOUNT
  })
  free_intro!: void;

  @Plan("free", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { free: true, billed: "advance" } as never,
//                       ^^^^^^ FREE_WITH_AMOUNT
  })
  free!: void;
}
