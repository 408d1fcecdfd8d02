import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PositionComments {
  @Plan(/* key: */ "starter", /* options: */ {
    // This one is fine.
    limits: { requests: { rate: 60, interval: "minute" /* not "year" */ } },
    /* This one is not. */ "trial-days" /* sic */ : 14,
//                         ^^^^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
