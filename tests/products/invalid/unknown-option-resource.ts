import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionResource {
  @Resource("slots", { count_source: "action_inferred" })
//                     ^^^^^^^^^^^^ UNKNOWN_OPTION
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
