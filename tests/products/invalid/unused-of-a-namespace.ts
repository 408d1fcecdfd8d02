import * as svc from "@svc/product";

const pro = svc.Plan("pro", { limits: { requests: { rate: 60, interval: "minute" } } });
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED

@svc.Product({ origin: "https://api.example.com" })
export default class Acme {
  @svc.Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
