import { Plan, Product, Requests } from "@svc/product";

// Without `@Requests` there is no meter `requests`, though every plan may limit them.

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterRequestsPrice {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { requests: { micros: 100 } },
//           ^^^^^^^^ UNKNOWN_METER
  })
  starter!: void;
}
