import { Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateWorkflow {
  @Workflow("nightly")
  nightly!: void;

  @Workflow("nightly")
//          ^^^^^^^^^ DUPLICATE_KEY
  daily!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
