import { Meter, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PositionWithoutParentheses {
  @Requests
  requests!: void;

  @Meter("compute", { unitt: "ms" })
//                    ^^^^^ UNKNOWN_OPTION
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
