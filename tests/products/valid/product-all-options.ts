import { Plan, Product } from "@svc/product";

@Product({
  name: "acme-cloud",
  origin: "http://localhost:8080/base/path?tenant=1#top",
  displayName: "Acme Cloud",
  description: "Everything Acme.",
  billOn4xx: true,
})
export default class ProductAllOptions {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
