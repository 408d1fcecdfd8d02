import { Plan, Product } from "@svc/product";

// A subclass is another class; `@Product` stands on the one that is exported.
@Product({ origin: "https://api.example.com" })
class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

//? DEFAULT_EXPORT_NOT_PRODUCT
export default class Bigger extends Acme {}
