import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ support: { email: "help@example.com", tiers: ["community"] }, $schema: "v2" })
@Raw({ support: { hours: "24x7", tiers: ["priority"] }, flags: { dark: true, ratio: 0.5, none: null } })
@Raw({})
export default class RawStacked {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
