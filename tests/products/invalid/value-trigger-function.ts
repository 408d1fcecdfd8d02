import { Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValueTriggerFunction {
  @Workflow("nightly", { trigger: () => "cron" })
//                                ^^^^^^^^^^^^ VALUE_NOT_PLAIN
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
