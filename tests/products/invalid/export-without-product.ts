import { Frontend, Plan } from "@svc/product";

//? DEFAULT_EXPORT_NOT_PRODUCT
@Frontend({ nav: [] })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
