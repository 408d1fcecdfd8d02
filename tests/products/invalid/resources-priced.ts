import { Feature, Meter, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ResourcesPriced {
  @Resource("seats")
  seats!: void;

  @Resource("rooms")
  rooms!: void;

  @Meter("rooms", { aggregation: "last" })
  used!: void;

  @Feature("chat", {
    plans: ["team"],
    routes: {
      "POST /v1/members": { reports: "seats" },
//                                   ^^^^^^^ TIME_WEIGHTED_VALUE
      "POST /v1/rooms": { reports: "rooms" },
    },
  })
  chat!: void;

  @Plan("team", {
    limits: { requests: { rate: 60, interval: "minute" } },
    resources: {
      seats: { amountCents: 875, included: 1, minCents: 5 },
//                                            ^^^^^^^^ UNKNOWN_OPTION
      seat: { amountCents: 875 },
//    ^^^^ UNKNOWN_RESOURCE
      rooms: { amountCents: 100 },
//    ^^^^^ DUPLICATE_KEY
    },
  })
  team!: void;

  @Plan("company", {
    limits: { requests: { rate: 60, interval: "minute" } },
    resources: { seats: { amountCents: 8.75 } },
//                                     ^^^^ MONEY_NOT_AN_INTEGER
  })
  company!: void;

  @Plan("world", {
    limits: { requests: { rate: 60, interval: "minute" } },
    resources: { seats: { amountCents: 9_007_199_254_740_991 } },
//                                     ^^^^^^^^^^^^^^^^^^^^^ NUMBER_RANGE
  })
  world!: void;
}
