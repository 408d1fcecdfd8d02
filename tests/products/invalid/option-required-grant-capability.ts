import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredGrantCapability {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [{ type: "capability", limits: {} }],
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
