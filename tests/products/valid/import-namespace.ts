import * as p from "@svc/product";

@p.Product({ origin: "https://api.example.com" })
export default class ImportNamespace {
  @p.Meter("compute", { unit: "ms" })
  compute!: void;

  @p.Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [p.creditGrant({ amountCents: 500, display: p.svc.display.multiplier({ factor: 10 }) })],
  })
  starter!: void;
}
